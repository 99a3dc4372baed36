package s3csi.driver.cluster;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import s3csi.volume.json.Json;
import s3csi.volume.json.JsonObject;

/** An API server in memory, over real HTTP. It keeps whatever it is given, and misbehaves as told. */
public final class FakeApiServer implements AutoCloseable {
    private static final String END = "end";
    private static final String CUT = "cut";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, Map<String, JsonObject>> collections = new HashMap<>();
    private final List<Event> history = new ArrayList<>();
    private final List<Watch> watches = new CopyOnWriteArrayList<>();
    private final Path account;
    private long version = 100;

    /** All that was asked, in order. */
    public final List<Request> requests = new CopyOnWriteArrayList<>();

    /** Who answers before the server itself does. */
    public volatile Interception interception = (_, _) -> false;

    public record Request(String method, String path, Map<String, String> query, String authorization, String body) {
        public boolean isWatch() {
            return query.containsKey("watch");
        }

        public boolean isList() {
            return method.equals("GET") && !isWatch();
        }
    }

    /** Says whether it has answered. */
    @FunctionalInterface
    public interface Interception {
        boolean answers(Request request, HttpExchange exchange) throws IOException;
    }

    private record Event(String collection, long version, String text) {}

    private record Watch(String collection, BlockingQueue<String> lines) {}

    public FakeApiServer(Path scratch) throws IOException {
        this(scratch, HttpServer.create(loopback(), 0));
    }

    private FakeApiServer(Path scratch, HttpServer server) throws IOException {
        this.server = server;
        this.account = Files.createDirectories(scratch.resolve("account"));
        setToken("token-1");
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    static FakeApiServer secure(Path scratch, SSLContext context) throws IOException {
        HttpsServer server = HttpsServer.create(loopback(), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        return new FakeApiServer(scratch, server);
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** What kubelet gives a pod of the cluster. */
    Path account() {
        return account;
    }

    void setToken(String token) throws IOException {
        Files.writeString(account.resolve("token"), token + "\n");
    }

    public ApiServer client() {
        String scheme = server instanceof HttpsServer ? "https" : "http";
        return new ApiServer(
                URI.create(scheme + "://127.0.0.1:" + server.getAddress().getPort()),
                new ServiceAccount(account),
                "tests");
    }

    /** Adds an object or puts it in the place of the one before. */
    public synchronized void put(String collection, String object) {
        JsonObject given = JsonObject.parse(object);
        boolean isNew = put(collection, given) == null;
        tell(isNew ? "ADDED" : "MODIFIED", collection, given.text("metadata", "name"));
    }

    private @Nullable JsonObject put(String collection, JsonObject given) {
        version++;
        Map<String, Object> metadata =
                new LinkedHashMap<>(given.object("metadata").members());
        metadata.put("resourceVersion", Long.toString(version));
        Map<String, Object> members = new LinkedHashMap<>(given.members());
        members.put("metadata", metadata);
        return collections
                .computeIfAbsent(collection, _ -> new LinkedHashMap<>())
                .put(given.text("metadata", "name"), new JsonObject(members));
    }

    private void tell(String type, String collection, String name) {
        send(type, collection, object(collection, name).orElseThrow().toString());
    }

    private void send(String type, String collection, String object) {
        Event event = new Event(collection, version, "{\"type\":\"" + type + "\",\"object\":" + object + "}");
        history.add(event);
        watches.stream()
                .filter(watch -> watch.collection.equals(collection))
                .forEach(watch -> watch.lines.add(event.text));
    }

    public synchronized void remove(String collection, String name) {
        put(collection, object(collection, name).orElseThrow());
        tell("DELETED", collection, name);
        collections.getOrDefault(collection, Map.of()).remove(name);
    }

    public synchronized Optional<JsonObject> object(String collection, String name) {
        return Optional.ofNullable(
                collections.getOrDefault(collection, Map.of()).get(name));
    }

    /** Tells all watches how far they are. */
    synchronized void bookmark(String collection) {
        version++;
        send("BOOKMARK", collection, "{\"metadata\":{\"resourceVersion\":\"" + version + "\"}}");
    }

    /** Sends this line to all watches. */
    void sendLine(String line) {
        watches.forEach(watch -> watch.lines.add(line));
    }

    void endWatches() {
        sendLine(END);
    }

    /** Cuts all watches in the middle of an event. */
    void cutWatches() {
        sendLine(CUT);
    }

    public int openWatches() {
        return watches.size();
    }

    public long count(String method) {
        return requests.stream()
                .filter(request -> request.method.equals(method))
                .count();
    }

    public List<Request> watched() {
        return requests.stream().filter(Request::isWatch).toList();
    }

    public List<Request> listed() {
        return requests.stream().filter(Request::isList).toList();
    }

    private void answer(HttpExchange exchange) {
        try (exchange) {
            Request request = new Request(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().getPath(),
                    query(exchange.getRequestURI().getRawQuery()),
                    String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")),
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            requests.add(request);
            if (interception.answers(request, exchange)) {
                return;
            }
            switch (request.method) {
                case "POST" -> reply(exchange, 201, request.body);
                case "PUT" -> replace(request, exchange);
                default -> {
                    if (request.isWatch()) {
                        watch(request, exchange);
                    } else {
                        get(request, exchange);
                    }
                }
            }
        } catch (IOException e) {
            // The client has gone, which is its right.
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Map<String, String> query(@Nullable String text) {
        Map<String, String> query = new LinkedHashMap<>();
        for (String part : text == null ? new String[0] : text.split("&", -1)) {
            String[] both = part.split("=", 2);
            query.put(both[0], URLDecoder.decode(both[1], StandardCharsets.UTF_8));
        }
        return query;
    }

    public static boolean reply(HttpExchange exchange, int code, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        return true;
    }

    /** As an API server refuses. */
    public static boolean refuse(HttpExchange exchange, int code, String message) throws IOException {
        return reply(exchange, code, status(code, message));
    }

    static String status(int code, String message) {
        return Json.text(Map.of(
                "kind",
                "Status",
                "status",
                "Failure",
                "message",
                message,
                "code",
                new Json.Other(String.valueOf(code))));
    }

    private void get(Request request, HttpExchange exchange) throws IOException {
        Path path = Path.of(request.path);
        Optional<JsonObject> one = object(String.valueOf(path.getParent()), String.valueOf(path.getFileName()));
        if (one.isPresent()) {
            reply(exchange, 200, one.get().toString());
        } else if (isMissingOne(request.path)) {
            refuse(exchange, 404, "\"" + path.getFileName() + "\" not found");
        } else {
            reply(exchange, 200, list(request.path));
        }
    }

    private synchronized boolean isMissingOne(String path) {
        return collections.containsKey(String.valueOf(Path.of(path).getParent()));
    }

    private synchronized String list(String collection) {
        return "{\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"" + version + "\"},\"items\":"
                + collections.getOrDefault(collection, Map.of()).values() + "}";
    }

    private synchronized Watch open(String collection, long from) {
        Watch watch = new Watch(collection, new LinkedBlockingQueue<>());
        history.stream()
                .filter(event -> event.collection.equals(collection) && event.version > from)
                .forEach(event -> watch.lines.add(event.text));
        watches.add(watch);
        return watch;
    }

    private void watch(Request request, HttpExchange exchange) throws IOException, InterruptedException {
        Watch watch = open(request.path, Long.parseLong(request.query.getOrDefault("resourceVersion", "0")));
        try {
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            out.flush();
            for (String line = watch.lines.take(); !line.equals(END); line = watch.lines.take()) {
                if (line.equals(CUT)) {
                    out.write("{\"type\":\"ADDED\",\"obj".getBytes(StandardCharsets.UTF_8));
                    out.flush();
                    exchange.close();
                    return;
                }
                out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
            out.close();
        } finally {
            watches.remove(watch);
        }
    }

    private synchronized void replace(Request request, HttpExchange exchange) throws IOException {
        Path path = Path.of(request.path);
        String collection = String.valueOf(path.getParent());
        JsonObject given = JsonObject.parse(request.body);
        String before = object(collection, given.text("metadata", "name"))
                .map(found -> found.text("metadata", "resourceVersion"))
                .orElse("");
        if (!given.text("metadata", "resourceVersion").equals(before)) {
            refuse(exchange, 409, "the object has been modified");
            return;
        }
        put(collection, request.body);
        reply(exchange, 200, request.body);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
