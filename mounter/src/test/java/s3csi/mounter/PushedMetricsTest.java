package s3csi.mounter;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import s3csi.linux.Processes;
import s3csi.mounter.metrics.otlp.TestCollector;
import s3csi.s3.testing.server.PrivateCa;

/** What a collector gets of a real mount. */
final class PushedMetricsTest extends MountStage {
    private static final String VARIABLE = "EXPERIMENTAL_MOUNTPOINT_OTLP_METRICS_TEMPORALITY_PREFERENCE";

    private Program mount(Map<String, String> more, String... options) throws Exception {
        Map<String, String> environment = environment();
        environment.putAll(more);
        // Other tests have files in the same bucket.
        List<String> arguments = new ArrayList<>(
                List.of(BUCKET, mountPoint.toString(), "--foreground", "--prefix=" + scratch.getFileName() + "/"));
        arguments.addAll(List.of(options));
        return mounted(started(Program.start(scratch, environment, Map.of(), arguments)));
    }

    private void end(Program mounted) throws Exception {
        mounted.process().signal(Processes.SIGTERM);
        assertThat(mounted.exitCode()).as(mounted.printed()).isZero();
    }

    private void write(int from, int count) throws Exception {
        for (int i = from; i < from + count; i++) {
            Files.writeString(mountPoint.resolve("file-" + i), "content");
        }
    }

    @Test
    void aCollectorGetsTheStableNamesAndEveryRequestOnce() throws Exception {
        try (TestCollector collector = TestCollector.start()) {
            Program mounted = mount(Map.of(), "--otlp-endpoint=" + collector.address(), "--otlp-export-interval=1");
            write(0, 4);
            TestCollector.await("four uploads", () -> collector.sum("s3.request_count", "PutObject") == 4);
            write(4, 3);
            assertThat(mountPoint.resolve("file-0")).hasContent("content");
            assertThat(mountPoint.resolve("missing")).doesNotExist();
            // The last push comes at the end; with it the deltas are everything.
            end(mounted);

            assertThat(collector.heads()).containsOnly("POST /v1/metrics application/x-protobuf");
            assertThat(collector.metrics().stream().map(Metric::getName).distinct())
                    .containsExactlyInAnyOrderElementsOf(TestCollector.STABLE_NAMES);
            assertThat(collector.sum("s3.request_count", "PutObject")).isEqualTo(7);
            assertThat(collector.distributions("s3.request_total_latency", "PutObject").stream()
                            .mapToLong(ExponentialHistogramDataPoint::getCount)
                            .sum())
                    .isEqualTo(7);
            assertThat(collector.distributions("fuse.request_latency", "create").stream()
                            .mapToLong(ExponentialHistogramDataPoint::getCount)
                            .sum())
                    .isEqualTo(7);
            assertThat(collector.distributions("fuse.io_size", "read").stream()
                            .mapToDouble(ExponentialHistogramDataPoint::getSum)
                            .sum())
                    .isEqualTo("content".length());
            assertThat(collector.distributions("fuse.io_size", "write").stream()
                            .mapToDouble(ExponentialHistogramDataPoint::getSum)
                            .sum())
                    .isEqualTo(7 * "content".length());
            assertThat(collector.metrics().stream().filter(Metric::hasSum))
                    .allMatch(metric -> metric.getSum().getIsMonotonic()
                            && metric.getSum().getAggregationTemporality()
                                    == AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA);
        }
    }

    @Test
    void aVariableMakesThemCountFromTheStart() throws Exception {
        try (TestCollector collector = TestCollector.start()) {
            Program mounted = mount(
                    Map.of(VARIABLE, "cumulative"),
                    "--otlp-endpoint=" + collector.address(),
                    "--otlp-export-interval=1");
            write(0, 2);
            TestCollector.await(
                    "a push",
                    () -> !collector.counts("s3.request_count", "PutObject").isEmpty());
            write(2, 3);
            end(mounted);
            List<NumberDataPoint> points = collector.counts("s3.request_count", "PutObject");
            assertThat(points.getLast().getAsInt()).isEqualTo(5);
            assertThat(points.stream()
                            .map(NumberDataPoint::getStartTimeUnixNano)
                            .distinct())
                    .hasSize(1);
            assertThat(collector.metrics().stream().filter(Metric::hasSum))
                    .allMatch(metric -> metric.getSum().getAggregationTemporality()
                            == AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
        }
    }

    @Test
    void aCollectorThatIsAwayMissesNothing() throws Exception {
        TestCollector first = TestCollector.start();
        int port = first.port();
        Program mounted = mount(Map.of(), "--otlp-endpoint=" + first.address(), "--otlp-export-interval=1");
        write(0, 2);
        TestCollector.await("two uploads", () -> first.sum("s3.request_count", "PutObject") == 2);
        first.answerWith(503);
        write(2, 3);
        TestCollector.await("a push to refuse", () -> first.refused() > 1);
        first.close();
        write(5, 4);
        mounted.awaitPrinted("metrics cannot be pushed to");

        try (TestCollector second = TestCollector.startAt(port)) {
            TestCollector.await("the uploads it missed", () -> second.sum("s3.request_count", "PutObject") == 7);
            mounted.awaitPrinted("again, with all that was counted meanwhile");
            end(mounted);
            assertThat(second.sum("s3.request_count", "PutObject")).isEqualTo(7);
            assertThat(mounted.printed().split("metrics cannot be pushed to", -1))
                    .hasSize(2);
        }
    }

    @Test
    void withoutACollectorTheMountWorksAndEnds() throws Exception {
        TestCollector gone = TestCollector.start();
        gone.close();
        Program mounted = mount(Map.of(), "--otlp-endpoint=" + gone.address(), "--otlp-export-interval=1");
        mounted.awaitPrinted("metrics cannot be pushed to");
        write(0, 2);
        assertThat(mountPoint.resolve("file-1")).hasContent("content");
        end(mounted);
    }

    @Test
    void theAuthoritiesOfTheStoreAreThoseOfTheCollector() throws Exception {
        PrivateCa authority = PrivateCa.create();
        Path bundle = Files.writeString(scratch.resolve("ca.pem"), authority.certificatePem());
        try (TestCollector collector = TestCollector.startSecure(authority)) {
            Program mounted = mount(
                    Map.of(),
                    "--otlp-endpoint=" + collector.address(),
                    "--otlp-export-interval=3600",
                    "--ca-bundle=" + bundle);
            write(0, 1);
            end(mounted);
            assertThat(collector.sum("s3.request_count", "PutObject")).isEqualTo(1);
        }
    }

    @Test
    void anAddressThatIsNoneIsRefusedAtTheStart() throws Exception {
        Program refused = Program.start(
                scratch, Program.keysOf(server), "bucket", mountPoint.toString(), "--otlp-endpoint=localhost:4318");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.printed()).contains("Error: --otlp-endpoint 'localhost:4318' must begin with http://");
    }
}
