package s3csi.mounter.metrics.otlp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import s3csi.s3.testing.server.PrivateCa;

/** A collector on this machine that keeps what it gets, and can be away or refuse. */
public final class TestCollector implements AutoCloseable {
    /** All that mount-s3 promises to keep, and nothing else. */
    public static final List<String> STABLE_NAMES = List.of(
            "fuse.request_latency",
            "fuse.request_errors",
            "fuse.io_size",
            "s3.request_count",
            "s3.request_errors",
            "s3.request_total_latency",
            "s3.request_first_byte_latency",
            "process.memory_usage");

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpServer server;
    private final String scheme;
    private final List<ExportMetricsServiceRequest> taken = new CopyOnWriteArrayList<>();
    private final List<String> heads = new CopyOnWriteArrayList<>();
    private volatile int status = 200;
    private final AtomicInteger refused = new AtomicInteger();

    private TestCollector(HttpServer server, String scheme) {
        this.server = server;
        this.scheme = scheme;
        server.createContext("/", this::answer);
        server.start();
    }

    public static TestCollector start() throws IOException {
        return startAt(0);
    }

    /** One that comes to where another was before. */
    public static TestCollector startAt(int port) throws IOException {
        return new TestCollector(HttpServer.create(loopback(port), 0), "http");
    }

    public static TestCollector startSecure(PrivateCa authority) throws IOException {
        HttpsServer server = HttpsServer.create(loopback(0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(
                authority.issueFor("127.0.0.1", "localhost").serverContext()));
        return new TestCollector(server, "https");
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            // Looked at once: what is taken must not be answered with a refusal that was asked for meanwhile.
            int answer = status;
            if (answer == 200) {
                heads.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                        + exchange.getRequestHeaders().getFirst("Content-Type"));
                taken.add(ExportMetricsServiceRequest.parseFrom(body));
            } else {
                refused.incrementAndGet();
            }
            exchange.sendResponseHeaders(answer, -1);
        }
    }

    public URI address() {
        return URI.create(scheme + "://localhost:" + port());
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public void answerWith(int other) {
        status = other;
    }

    public int refused() {
        return refused.get();
    }

    /** Method, path and content type of the requests taken. */
    public List<String> heads() {
        return heads;
    }

    public List<Metric> metrics() {
        return taken.stream()
                .flatMap(request -> request.getResourceMetricsList().stream())
                .flatMap(resource -> resource.getScopeMetricsList().stream())
                .flatMap(scope -> scope.getMetricsList().stream())
                .toList();
    }

    private Stream<Metric> named(String name) {
        return metrics().stream().filter(metric -> metric.getName().equals(name));
    }

    public List<NumberDataPoint> counts(String name, String label) {
        return named(name)
                .flatMap(metric -> metric.getSum().getDataPointsList().stream())
                .filter(point ->
                        point.getAttributes(0).getValue().getStringValue().equals(label))
                .toList();
    }

    /** All deltas of a counter together. */
    public long sum(String name, String label) {
        return counts(name, label).stream().mapToLong(NumberDataPoint::getAsInt).sum();
    }

    public List<ExponentialHistogramDataPoint> distributions(String name, String label) {
        return named(name)
                .flatMap(metric -> metric.getExponentialHistogram().getDataPointsList().stream())
                .filter(point ->
                        point.getAttributes(0).getValue().getStringValue().equals(label))
                .toList();
    }

    /** Waits for something to arrive. */
    public static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("the collector never had " + what);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
