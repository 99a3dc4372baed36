package s3csi.driver.health;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/** {@code /healthz} for kubelet's probe and {@code /metrics} for Prometheus, over plain HTTP. */
public final class HealthServer implements AutoCloseable {
    private static final String TEXT = "text/plain; charset=utf-8";

    private final HttpServer server;
    private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();
    private final PrometheusTextFormatWriter metricsWriter = PrometheusTextFormatWriter.builder()
            .setIncludeCreatedTimestamps(false)
            .build();

    public HealthServer(InetSocketAddress address, BooleanSupplier ready, PrometheusRegistry metrics)
            throws IOException {
        server = listen(address);
        server.setExecutor(requests);
        server.createContext("/", exchange -> answer(exchange, 404, TEXT, "try /healthz or /metrics\n"));
        server.createContext("/healthz", exchange -> {
            boolean healthy = ready.getAsBoolean();
            answer(exchange, healthy ? 200 : 503, TEXT, healthy ? "ok\n" : "the CSI socket is not served\n");
        });
        server.createContext("/metrics", exchange -> {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            metricsWriter.write(text, metrics.scrape());
            answer(exchange, 200, metricsWriter.getContentType(), text.toString(StandardCharsets.UTF_8));
        });
        server.start();
    }

    private static HttpServer listen(InetSocketAddress address) throws IOException {
        try {
            return HttpServer.create(address, 0);
        } catch (IOException e) {
            throw new IOException(
                    "cannot serve health and metrics on " + address + ": " + e.getMessage()
                            + "; choose another --http-endpoint",
                    e);
        }
    }

    public int port() {
        return server.getAddress().getPort();
    }

    private static void answer(HttpExchange exchange, int status, String type, String text) throws IOException {
        try (exchange) {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(status, head ? -1 : body.length);
            if (!head) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        requests.shutdownNow();
    }
}
