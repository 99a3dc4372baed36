package s3csi.mounter.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import s3csi.fuse.Operation;
import s3csi.mounter.log.RequestLog;

final class MetricsTest {
    private final Metrics metrics = new Metrics();

    private static Duration micros(long value) {
        return Duration.ofNanos(value * 1000);
    }

    @Test
    void requestsOfTheStoreAreCountedByOperationAndStatus() {
        StoreMetrics store = new StoreMetrics(metrics);
        store.requestEnded(s3csi.s3.StoreOperation.GET_OBJECT, 206, micros(3), micros(10));
        store.requestEnded(s3csi.s3.StoreOperation.GET_OBJECT, 503, micros(2), micros(2));
        store.requestEnded(s3csi.s3.StoreOperation.HEAD_OBJECT, 0, micros(4), micros(4));
        store.retried(s3csi.s3.StoreOperation.GET_OBJECT, "503");
        store.integrityViolated(s3csi.s3.StoreOperation.GET_OBJECT);
        store.connectionsChanged(3);
        store.connectionsChanged(-1);

        assertThat(MetricsLog.lines(Snapshot.EMPTY, metrics.snapshot()))
                .containsExactly(
                        "s3.request_count[s3_request=GetObject]: 2",
                        "s3.request_count[s3_request=HeadObject]: 1",
                        "s3.request_errors[s3_request=GetObject,http_status=503]: 1",
                        "s3.request_errors[s3_request=HeadObject,http_status=0]: 1",
                        "s3.request_retries[s3_request=GetObject]: 1",
                        "s3.integrity_errors[s3_request=GetObject]: 1",
                        "s3.client.connections: 2",
                        "s3.request_total_latency(us)[s3_request=GetObject]: n=2: min=2 p10=2 p50=2 avg=6.00 p90=10 p99=10 p99.9=10 max=10",
                        "s3.request_total_latency(us)[s3_request=HeadObject]: n=1: min=4 p10=4 p50=4 avg=4.00 p90=4 p99=4 p99.9=4 max=4",
                        "s3.request_first_byte_latency(us)[s3_request=GetObject]: n=2: min=2 p10=2 p50=2 avg=2.50 p90=3 p99=3 p99.9=3 max=3",
                        "s3.request_first_byte_latency(us)[s3_request=HeadObject]: n=1: min=4 p10=4 p50=4 avg=4.00 p90=4 p99=4 p99.9=4 max=4");
    }

    @Test
    void requestsOfTheKernelAreCountedWithTheirErrors() {
        SessionMetrics session = new SessionMetrics(metrics);
        session.answered(Operation.READ, 5_000, 4096, 0);
        session.answered(Operation.WRITE, 5_000, 100, 0);
        session.answered(Operation.LOOKUP, 2_000, 0, 2);

        assertThat(MetricsLog.lines(Snapshot.EMPTY, metrics.snapshot()))
                .contains(
                        "fuse.request_errors[fuse_request=lookup]: 1",
                        "fuse.total_bytes(bytes)[fuse_request=read]: 4096",
                        "fuse.total_bytes(bytes)[fuse_request=write]: 100",
                        "fuse.request_latency(us)[fuse_request=read]: n=1: min=5 p10=5 p50=5 avg=5.00 p90=5 p99=5 p99.9=5 max=5")
                .noneMatch(line -> line.startsWith("fuse.request_errors[fuse_request=read]"));
    }

    @Test
    void theLogShowsOnlyWhatChanged() {
        StoreMetrics store = new StoreMetrics(metrics);
        store.requestEnded(s3csi.s3.StoreOperation.GET_OBJECT, 206, micros(3), micros(10));
        Snapshot before = metrics.snapshot();
        assertThat(MetricsLog.lines(before, metrics.snapshot())).isEmpty();

        store.requestEnded(s3csi.s3.StoreOperation.GET_OBJECT, 206, micros(3), micros(10));
        assertThat(MetricsLog.lines(before, metrics.snapshot())).hasSize(3);
    }

    @Test
    void prometheusReadsCumulativeBuckets() throws Exception {
        SessionMetrics session = new SessionMetrics(metrics);
        session.answered(Operation.READ, 2_000, 100, 0);
        session.answered(Operation.READ, 100_000, 100, 0);
        metrics.gauge(MetricName.PROCESS_MEMORY_USAGE, () -> 42);

        try (MetricsServer server = MetricsServer.start(0, metrics);
                HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + "/metrics"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body().lines())
                    .containsSubsequence(
                            "experimental_fuse_total_bytes_total{fuse_request=\"read\"} 200",
                            "# TYPE process_memory_usage_bytes gauge",
                            "process_memory_usage_bytes 42",
                            "# TYPE fuse_request_latency_microseconds histogram",
                            "fuse_request_latency_microseconds_bucket{fuse_request=\"read\",le=\"3\"} 1",
                            "fuse_request_latency_microseconds_bucket{fuse_request=\"read\",le=\"63\"} 1",
                            "fuse_request_latency_microseconds_bucket{fuse_request=\"read\",le=\"255\"} 2",
                            "fuse_request_latency_microseconds_bucket{fuse_request=\"read\",le=\"+Inf\"} 2",
                            "fuse_request_latency_microseconds_sum{fuse_request=\"read\"} 102",
                            "fuse_request_latency_microseconds_count{fuse_request=\"read\"} 2");
        }
    }

    @Test
    void aReadAllocatesNothingWithoutDebug() {
        ((Logger) LoggerFactory.getLogger(RequestLog.class)).setLevel(Level.INFO);
        SessionMetrics session = new SessionMetrics(metrics);
        boolean asked = false;
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        // The interpreter and the first use may allocate; the best of several rounds is what the path itself needs.
        for (int round = 0; round < 20; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 1000; i++) {
                session.answered(Operation.READ, 5_000, 4096, 0);
                asked |= session.wantsDetails();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).isLessThan(1000);
        assertThat(asked).isFalse();
    }

    @Test
    void labelsAndKindsAreThoseOfTheName() {
        assertThatIllegalArgumentException().isThrownBy(() -> metrics.counter(MetricName.S3_REQUEST_COUNT));
        assertThatIllegalArgumentException().isThrownBy(() -> metrics.counter(MetricName.FUSE_IO_SIZE, "read"));
    }

    @Test
    void theProcessHasMemory() {
        assertThat(ProcessMemory.resident()).isGreaterThan(1 << 20);
    }
}
