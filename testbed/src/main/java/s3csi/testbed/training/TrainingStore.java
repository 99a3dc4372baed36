package s3csi.testbed.training;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Says yes to every bucket call. Nothing is tested with it: a build must not need an S3 server to train its programs. */
final class TrainingStore implements AutoCloseable {
    private final HttpServer server;

    TrainingStore() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", TrainingStore::answer);
        server.start();
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            boolean look = exchange.getRequestMethod().equals("GET");
            byte[] body = (look ? "<Error><Code>NoSuchBucket</Code><Message>none</Message></Error>" : "")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(look ? 404 : 200, look ? body.length : -1);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
