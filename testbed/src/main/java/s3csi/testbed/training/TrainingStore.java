package s3csi.testbed.training;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * As much of S3 as a training run touches, in memory: any bucket, objects without slashes in their names. Nothing is tested with
 * it; a build must not need an S3 server to train its programs.
 */
final class TrainingStore implements AutoCloseable {
    private static final String ETAG = "\"00000000000000000000000000000001\"";

    private final HttpServer server;
    private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();
    private final ConcurrentSkipListMap<String, byte[]> objects = new ConcurrentSkipListMap<>();

    /** Parts of the one upload at a time, by their number. */
    private final ConcurrentSkipListMap<Integer, byte[]> parts = new ConcurrentSkipListMap<>();

    TrainingStore() throws IOException {
        for (int number = 0; number < Exercise.STORED; number++) {
            objects.put(stored(number), new byte[100]);
        }
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(requests);
        server.createContext("/", this::answer);
        server.start();
    }

    /** The name of one of the objects that are there from the start. */
    static String stored(int number) {
        return "stored-" + number;
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String[] path = exchange.getRequestURI().getPath().split("/", 3);
            String query = String.valueOf(exchange.getRequestURI().getQuery());
            String key = path.length > 2 ? path[2] : "";
            if (key.isEmpty()) {
                bucket(exchange, query);
            } else {
                object(exchange, key, query, body);
            }
        }
    }

    private void bucket(HttpExchange exchange, String query) throws IOException {
        if (query.contains("list-type=2")) {
            send(exchange, 200, listing(parameter(query, "prefix")));
        } else if (exchange.getRequestMethod().equals("GET")) {
            send(exchange, 404, "<Error><Code>NoSuchBucket</Code><Message>none</Message></Error>");
        } else {
            send(exchange, 200, "");
        }
    }

    private String listing(String prefix) {
        StringBuilder list = new StringBuilder("<ListBucketResult><IsTruncated>false</IsTruncated>");
        objects.forEach((key, bytes) -> {
            if (key.startsWith(prefix)) {
                list.append("<Contents><Key>")
                        .append(key)
                        .append("</Key><Size>")
                        .append(bytes.length);
                list.append("</Size><ETag>").append(ETAG.replace("\"", "&quot;"));
                list.append("</ETag><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>");
            }
        });
        return list.append("</ListBucketResult>").toString();
    }

    private void object(HttpExchange exchange, String key, String query, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("ETag", ETAG);
        switch (exchange.getRequestMethod()) {
            case "GET", "HEAD" -> get(exchange, objects.get(key));
            case "PUT" -> {
                if (query.contains("partNumber")) {
                    parts.put(Integer.parseInt(parameter(query, "partNumber")), body);
                } else {
                    objects.put(key, body);
                }
                send(exchange, 200, "");
            }
            case "POST" -> upload(exchange, key, query);
            default -> {
                objects.remove(key);
                send(exchange, 204, "");
            }
        }
    }

    private void upload(HttpExchange exchange, String key, String query) throws IOException {
        if (query.contains("uploadId")) {
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            parts.values().forEach(whole::writeBytes);
            objects.put(key, whole.toByteArray());
            send(
                    exchange,
                    200,
                    "<CompleteMultipartUploadResult><ETag>" + ETAG + "</ETag></CompleteMultipartUploadResult>");
        } else {
            parts.clear();
            send(
                    exchange,
                    200,
                    "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>");
        }
    }

    private static void get(HttpExchange exchange, byte @Nullable [] bytes) throws IOException {
        if (bytes == null) {
            send(exchange, 404, "<Error><Code>NoSuchKey</Code></Error>");
            return;
        }
        exchange.getResponseHeaders().set("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT");
        String range = exchange.getRequestHeaders().getFirst("Range");
        if (range == null) {
            send(exchange, 200, bytes);
            return;
        }
        String[] ends = range.substring("bytes=".length()).split("-", 2);
        int from = Integer.parseInt(ends[0]);
        int to = Math.min(Integer.parseInt(ends[1]), bytes.length - 1);
        exchange.getResponseHeaders().set("Content-Range", "bytes " + from + "-" + to + "/" + bytes.length);
        send(exchange, 206, Arrays.copyOfRange(bytes, from, to + 1));
    }

    private static String parameter(String query, String name) {
        return Arrays.stream(query.split("&", -1))
                .filter(pair -> pair.startsWith(name + "="))
                .map(pair -> pair.substring(name.length() + 1))
                .findFirst()
                .orElse("");
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        send(exchange, status, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        boolean head = exchange.getRequestMethod().equals("HEAD");
        if (head) {
            exchange.getResponseHeaders().set("Content-Length", String.valueOf(body.length));
        }
        exchange.sendResponseHeaders(status, head || body.length == 0 ? -1 : body.length);
        if (!head) {
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        requests.shutdownNow();
    }
}
