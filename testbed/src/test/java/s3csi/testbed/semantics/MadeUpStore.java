package s3csi.testbed.semantics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A store of one bucket whose directories are made up as they are listed, so that they can have millions of names. Small objects can be
 * stored beside them.
 */
final class MadeUpStore implements AutoCloseable {
    /** Every file that is made up has a size below this: its number in the directory modulo this. */
    static final int SIZES = 1000;

    private static final String TIME = "2026-01-02T03:04:05.000Z";
    private static final String HTTP_TIME = "Fri, 02 Jan 2026 03:04:05 GMT";

    static {
        // Else each answer waits for the acknowledgement of the one before.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final HttpServer server;
    private final Map<String, Folder> folders = new ConcurrentHashMap<>();
    private final Map<String, byte[]> stored = new ConcurrentHashMap<>();
    private final AtomicLong listings = new AtomicLong();
    private final AtomicLong questions = new AtomicLong();

    /**
     * What lies directly below a prefix.
     *
     * @param name of the entry of that number, in the order of keys; one that ends in a slash is a directory
     * @param emptyPages how many pages without a name come before each that has some
     */
    private record Folder(int count, IntFunction<String> name, int emptyPages) {
        static final Folder EMPTY = new Folder(0, Integer::toString, 0);
    }

    MadeUpStore() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen", e);
        }
        server.createContext("/", this::answer);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Makes up what lies below a prefix. */
    MadeUpStore with(String prefix, int count, IntFunction<String> name) {
        folders.put(prefix, new Folder(count, name, 0));
        return this;
    }

    MadeUpStore withEmptyPages(String prefix, int emptyPages, int count, IntFunction<String> name) {
        folders.put(prefix, new Folder(count, name, emptyPages));
        return this;
    }

    /** Full pages that were asked for. */
    long listings() {
        return listings.get();
    }

    /** Requests about one name. */
    long questions() {
        return questions.get();
    }

    byte[] stored(String key) {
        return stored.getOrDefault(key, new byte[0]);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String[] path = exchange.getRequestURI().getPath().split("/", 3);
            String key = path.length < 3 ? "" : path[2];
            if (key.isEmpty()) {
                list(exchange);
                return;
            }
            switch (exchange.getRequestMethod()) {
                case "PUT" -> {
                    stored.put(key, exchange.getRequestBody().readAllBytes());
                    exchange.getResponseHeaders().add("ETag", etag(key));
                    exchange.sendResponseHeaders(200, -1);
                }
                case "DELETE" -> {
                    stored.remove(key);
                    exchange.sendResponseHeaders(204, -1);
                }
                default -> get(exchange, key);
            }
        }
    }

    private void get(HttpExchange exchange, String key) throws IOException {
        byte[] body = body(key);
        boolean isHead = exchange.getRequestMethod().equals("HEAD");
        if (isHead) {
            questions.incrementAndGet();
        }
        if (body == null) {
            exchange.sendResponseHeaders(404, -1);
            return;
        }
        exchange.getResponseHeaders().add("ETag", etag(key));
        exchange.getResponseHeaders().add("Last-Modified", HTTP_TIME);
        String range = exchange.getRequestHeaders().getFirst("Range");
        if (isHead || body.length == 0) {
            exchange.getResponseHeaders().add("Content-Length", Integer.toString(body.length));
            exchange.sendResponseHeaders(200, -1);
        } else if (range == null) {
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } else {
            String[] ends = range.substring("bytes=".length()).split("-", 2);
            int from = Integer.parseInt(ends[0]);
            int to = Math.min(body.length - 1, Integer.parseInt(ends[1]));
            exchange.getResponseHeaders().add("Content-Range", "bytes " + from + "-" + to + "/" + body.length);
            exchange.sendResponseHeaders(206, to - from + 1);
            exchange.getResponseBody().write(body, from, to - from + 1);
        }
    }

    private byte @Nullable [] body(String key) {
        byte[] known = stored.get(key);
        if (known != null) {
            return known;
        }
        int slash = key.lastIndexOf('/') + 1;
        int number = numberOf(folder(key.substring(0, slash)), key.substring(slash));
        return number < 0 ? null : new byte[number % SIZES];
    }

    private Folder folder(String prefix) {
        return folders.getOrDefault(prefix, Folder.EMPTY);
    }

    /** By halving, as names are in order. */
    private static int numberOf(Folder folder, String name) {
        int low = 0;
        int high = folder.count - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = folder.name.apply(middle).compareTo(name);
            if (order == 0) {
                return middle;
            }
            low = order < 0 ? middle + 1 : low;
            high = order < 0 ? high : middle - 1;
        }
        return -1;
    }

    private static String etag(String key) {
        return '"' + "0".repeat(24) + HexFormat.of().toHexDigits(key.hashCode()) + '"';
    }

    private void list(HttpExchange exchange) throws IOException {
        Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
        int most = Integer.parseInt(query.getOrDefault("max-keys", "1000"));
        String prefix = query.getOrDefault("prefix", "");
        String token = query.getOrDefault("continuation-token", "");
        (most < SIZES ? questions : listings).incrementAndGet();
        boolean isEncoded = query.getOrDefault("encoding-type", "").equals("url");
        byte[] page = page(prefix, most, token, isEncoded).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/xml");
        exchange.sendResponseHeaders(200, page.length);
        exchange.getResponseBody().write(page);
    }

    private String page(String prefix, int most, String token, boolean isEncoded) {
        var xml = new StringBuilder("<?xml version=\"1.0\"?><ListBucketResult>");
        UnaryOperator<String> written = isEncoded ? MadeUpStore::encoded : UnaryOperator.identity();
        if (isEncoded) {
            xml.append("<EncodingType>url</EncodingType>");
        }
        Folder folder = folder(prefix);
        // Where to go on, and how many empty pages came since.
        String[] parts = token.isEmpty() ? new String[] {"0", "0"} : token.split("-");
        int from = Integer.parseInt(parts[0]);
        int empty = Integer.parseInt(parts[1]);
        int to = from;
        if (empty == folder.emptyPages) {
            to = Math.min(folder.count, from + (folder.emptyPages > 0 ? 1 : most));
            empty = -1;
        }
        if (from == 0) {
            addStored(xml, prefix, written);
        }
        for (int i = from; i < to; i++) {
            add(xml, prefix + folder.name.apply(i), i % SIZES, written);
        }
        boolean isTruncated = to < folder.count;
        xml.append("<IsTruncated>").append(isTruncated).append("</IsTruncated>");
        if (isTruncated) {
            xml.append("<NextContinuationToken>").append(to).append('-').append(empty + 1);
            xml.append("</NextContinuationToken>");
        }
        return xml.append("</ListBucketResult>").toString();
    }

    private static String encoded(String key) {
        return URLEncoder.encode(key, StandardCharsets.UTF_8);
    }

    private void addStored(StringBuilder xml, String prefix, UnaryOperator<String> written) {
        for (Map.Entry<String, byte[]> each : stored.entrySet()) {
            if (each.getKey().startsWith(prefix) && each.getKey().indexOf('/', prefix.length()) < 0) {
                add(xml, each.getKey(), each.getValue().length, written);
            }
        }
    }

    private static void add(StringBuilder xml, String key, int size, UnaryOperator<String> written) {
        if (key.endsWith("/")) {
            xml.append("<CommonPrefixes><Prefix>").append(written.apply(key)).append("</Prefix></CommonPrefixes>");
        } else {
            xml.append("<Contents><Key>")
                    .append(written.apply(key))
                    .append("</Key><LastModified>")
                    .append(TIME);
            xml.append("</LastModified><ETag>")
                    .append(etag(key))
                    .append("</ETag><Size>")
                    .append(size);
            xml.append("</Size></Contents>");
        }
    }

    private static Map<String, String> query(String raw) {
        Map<String, String> query = new HashMap<>();
        for (String each : List.of((raw == null ? "" : raw).split("&"))) {
            int equals = each.indexOf('=');
            if (equals > 0) {
                query.put(
                        each.substring(0, equals),
                        URLDecoder.decode(each.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return query;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
