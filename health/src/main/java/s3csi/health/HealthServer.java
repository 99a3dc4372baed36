package s3csi.health;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import s3csi.health.HttpPort.Answer;

/** {@code /healthz} for kubelet's probe and {@code /metrics} for Prometheus, over plain HTTP. */
public final class HealthServer implements AutoCloseable {
    private final Supplier<Optional<String>> trouble;
    private final PrometheusRegistry metrics;
    private final PrometheusTextFormatWriter metricsWriter = PrometheusTextFormatWriter.builder()
            .setIncludeCreatedTimestamps(false)
            .build();

    /** One scrape at a time, however many ask. */
    private final ReentrantLock scraping = new ReentrantLock();

    private final HttpPort port;

    /** @param trouble why the program does not do its work at this moment; empty while it does */
    public HealthServer(InetSocketAddress address, Supplier<Optional<String>> trouble, PrometheusRegistry metrics)
            throws IOException {
        this.trouble = trouble;
        this.metrics = metrics;
        try {
            port = new HttpPort(address, this::answer);
        } catch (IOException e) {
            throw new IOException(
                    "cannot serve health and metrics on " + address + ": " + e.getMessage()
                            + "; choose another --http-endpoint",
                    e);
        }
    }

    /**
     * Where to listen, from an option's {@code HOST:PORT} or {@code :PORT}; nowhere if it is empty.
     *
     * @throws IllegalArgumentException in an administrator's words
     */
    public static Optional<InetSocketAddress> address(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        int colon = text.lastIndexOf(':');
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            String host = colon <= 0 ? "" : text.substring(0, colon);
            return Optional.of(host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "an address must be HOST:PORT or :PORT, or empty, not '" + text + "'", e);
        }
    }

    public int port() {
        return port.port();
    }

    private Answer answer(String path) {
        return switch (path) {
            case "/healthz" ->
                trouble.get().map(reason -> Answer.text(503, reason + "\n")).orElseGet(() -> Answer.text(200, "ok\n"));
            case "/metrics" -> scrape();
            default -> Answer.text(404, "try /healthz or /metrics\n");
        };
    }

    private Answer scrape() {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        scraping.lock();
        try {
            metricsWriter.write(text, metrics.scrape());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write metrics to memory", e);
        } finally {
            scraping.unlock();
        }
        return new Answer(200, metricsWriter.getContentType(), text.toString(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        port.close();
    }
}
