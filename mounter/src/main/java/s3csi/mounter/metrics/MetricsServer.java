package s3csi.mounter.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Answers Prometheus at {@code /metrics}. */
public final class MetricsServer implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads;

    private MetricsServer(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    /** Listens on all addresses; port 0 lets the system choose. */
    public static MetricsServer start(int port, Metrics metrics) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(port), 0);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        server.setExecutor(threads);
        server.createContext("/metrics", exchange -> {
            try (exchange) {
                answer(exchange, metrics);
            }
        });
        server.start();
        return new MetricsServer(server, threads);
    }

    private static void answer(HttpExchange exchange, Metrics metrics) throws IOException {
        byte[] body = PrometheusText.of(metrics.snapshot()).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", PrometheusText.CONTENT_TYPE);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
