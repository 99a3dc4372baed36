package s3csi.mounter.metrics.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import s3csi.mounter.config.MetricsConfig.Temporality;
import s3csi.mounter.metrics.Histogram;
import s3csi.mounter.metrics.MetricName;
import s3csi.mounter.metrics.Metrics;

/** What we write by hand is read by the code that protoc makes of OpenTelemetry's own definitions. */
final class ExportRequestTest {
    private static final Instant FROM = Instant.parse("2026-01-02T03:04:05.000000006Z");
    private static final Instant TO = FROM.plusSeconds(60);
    private static final long FROM_NANOS = 1767323045000000006L;

    private final Metrics metrics = new Metrics();

    private ResourceMetrics read(Temporality temporality) throws Exception {
        byte[] bytes = ExportRequest.of(metrics.snapshot(), temporality, FROM, TO);
        ExportMetricsServiceRequest request = ExportMetricsServiceRequest.parseFrom(bytes);
        // What is not in the definitions is printed with a number in place of a name.
        assertThat(request.toString()).doesNotContainPattern("(?m)^ *\\d+:");
        assertThat(request.getResourceMetricsCount()).isEqualTo(1);
        return request.getResourceMetrics(0);
    }

    private List<Metric> pushed(Temporality temporality) throws Exception {
        return read(temporality).getScopeMetrics(0).getMetricsList();
    }

    @Test
    void theScopeIsMountpointAndTheResourceHasNoAttributes() throws Exception {
        metrics.counter(MetricName.S3_REQUEST_COUNT, "GetObject").increment();
        ResourceMetrics read = read(Temporality.DELTA);
        assertThat(read.getResource().getAttributesList()).isEmpty();
        assertThat(read.getScopeMetricsList()).hasSize(1);
        assertThat(read.getScopeMetrics(0).getScope().getName()).isEqualTo("mountpoint-s3");
    }

    @Test
    void aCounterIsAMonotonicSum() throws Exception {
        metrics.counter(MetricName.S3_REQUEST_ERRORS, "GetObject", "503").add(7);
        metrics.counter(MetricName.S3_REQUEST_ERRORS, "HeadObject", "404").add(1L << 40);

        Metric metric = pushed(Temporality.DELTA).getFirst();
        assertThat(metric.getName()).isEqualTo("s3.request_errors");
        assertThat(metric.getUnit()).isEqualTo("1");
        assertThat(metric.getDescription()).isNotEmpty();
        assertThat(metric.getSum().getIsMonotonic()).isTrue();
        assertThat(metric.getSum().getAggregationTemporality())
                .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA);
        assertThat(metric.getSum().getDataPointsList())
                .extracting(NumberDataPoint::getAsInt)
                .containsExactly(7L, 1L << 40);
        NumberDataPoint point = metric.getSum().getDataPoints(0);
        assertThat(point.getStartTimeUnixNano()).isEqualTo(FROM_NANOS);
        assertThat(point.getTimeUnixNano()).isEqualTo(FROM_NANOS + 60_000_000_000L);
        assertThat(point.getAttributesList()).extracting(KeyValue::getKey).containsExactly("s3_request", "http_status");
        assertThat(point.getAttributesList())
                .extracting(attribute -> attribute.getValue().getStringValue())
                .containsExactly("GetObject", "503");
    }

    @Test
    void aGaugeIsALevel() throws Exception {
        metrics.gauge(MetricName.PROCESS_MEMORY_USAGE, () -> 67_000_000);
        Metric metric = pushed(Temporality.DELTA).getFirst();
        assertThat(metric.getName()).isEqualTo("process.memory_usage");
        assertThat(metric.getUnit()).isEqualTo("By");
        assertThat(metric.getGauge().getDataPointsList())
                .singleElement()
                .satisfies(point -> assertThat(point.getAsDouble()).isEqualTo(67_000_000))
                .satisfies(point -> assertThat(point.getTimeUnixNano()).isPositive());
    }

    @Test
    void aHistogramIsAnExponentialOne() throws Exception {
        Histogram histogram = metrics.histogram(MetricName.FUSE_REQUEST_LATENCY, "read");
        histogram.record(0);
        histogram.record(1);
        for (int i = 0; i < 300; i++) {
            histogram.record(20);
        }
        Metric metric = pushed(Temporality.CUMULATIVE).getFirst();
        assertThat(metric.getName()).isEqualTo("fuse.request_latency");
        assertThat(metric.getUnit()).isEqualTo("us");
        assertThat(metric.getExponentialHistogram().getAggregationTemporality())
                .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
        ExponentialHistogramDataPoint point = metric.getExponentialHistogram().getDataPoints(0);
        assertThat(point.getCount()).isEqualTo(302);
        assertThat(point.getSum()).isEqualTo(6001);
        assertThat(point.getMin()).isZero();
        assertThat(point.getMax()).isEqualTo(20);
        assertThat(point.getZeroCount()).isEqualTo(1);
        assertThat(point.getScale()).isEqualTo(4);
        // One is the upper end of the bucket -1; 20 is 16 buckets for each of four powers of two, and 5.15 more.
        assertThat(point.getPositive().getOffset()).isEqualTo(-1);
        assertThat(point.getPositive().getBucketCountsCount()).isEqualTo(71);
        assertThat(point.getPositive().getBucketCounts(0)).isEqualTo(1);
        assertThat(point.getPositive().getBucketCounts(70)).isEqualTo(300);
        assertThat(point.getNegative().getBucketCountsCount()).isZero();
        assertThat(point.getAttributesList())
                .singleElement()
                .satisfies(attribute -> assertThat(attribute.getKey()).isEqualTo("fuse_request"));
    }

    @Test
    void onlyNamesThatDoNotChangeArePushed() throws Exception {
        for (MetricName name : MetricName.values()) {
            String[] labels = name.labels.toArray(String[]::new);
            switch (name.kind) {
                case COUNTER -> metrics.counter(name, labels).increment();
                case GAUGE -> metrics.gauge(name, () -> 1);
                case HISTOGRAM -> metrics.histogram(name, labels).record(1);
            }
        }
        assertThat(pushed(Temporality.DELTA))
                .extracting(Metric::getName)
                .containsExactlyInAnyOrderElementsOf(TestCollector.STABLE_NAMES);
    }
}
