package s3csi.mounter.metrics.otlp;

import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import s3csi.mounter.config.MetricsConfig.Temporality;
import s3csi.mounter.metrics.Distribution;
import s3csi.mounter.metrics.MetricName;
import s3csi.mounter.metrics.Series;
import s3csi.mounter.metrics.Snapshot;

/**
 * The message {@code ExportMetricsServiceRequest} of OTLP 1. The numbers are those of its fields in
 * {@code opentelemetry/proto/metrics/v1/metrics.proto}.
 *
 * <p>Only metrics whose names do not change are in it. There are no resource attributes, as with mount-s3: a collector can add what
 * tells mounts apart.
 */
final class ExportRequest {
    private static final String SCOPE = "mountpoint-s3";
    private static final long NANOS = 1_000_000_000;

    private final Temporality temporality;
    private final long from;
    private final long to;
    /** In the order of the names; each with what it measures and its points so far. */
    private final Map<MetricName, ProtobufMessage> measured = new EnumMap<>(MetricName.class);

    private ExportRequest(Temporality temporality, Instant from, Instant to) {
        this.temporality = temporality;
        this.from = unixNanos(from);
        this.to = unixNanos(to);
    }

    private static long unixNanos(Instant time) {
        return time.getEpochSecond() * NANOS + time.getNano();
    }

    /** What a snapshot holds, which came between the two times. */
    static byte[] of(Snapshot snapshot, Temporality temporality, Instant from, Instant to) {
        ExportRequest request = new ExportRequest(temporality, from, to);
        snapshot.counters().forEach((series, value) -> request.point(series, request.count(series, value)));
        snapshot.gauges().forEach((series, value) -> request.point(series, request.level(series, value)));
        snapshot.histograms().forEach((series, value) -> request.point(series, request.distribution(series, value)));
        return request.message().toByteArray();
    }

    private void point(Series series, ProtobufMessage point) {
        if (series.name().stage == MetricName.Stage.STABLE) {
            measured.computeIfAbsent(series.name(), _ -> new ProtobufMessage()).message(1, point);
        }
    }

    private ProtobufMessage message() {
        ProtobufMessage scopeMetrics = new ProtobufMessage().message(1, new ProtobufMessage().text(1, SCOPE));
        measured.forEach((name, points) -> scopeMetrics.message(2, metric(name, points)));
        ProtobufMessage resourceMetrics =
                new ProtobufMessage().message(1, new ProtobufMessage()).message(2, scopeMetrics);
        return new ProtobufMessage().message(1, resourceMetrics);
    }

    private ProtobufMessage metric(MetricName name, ProtobufMessage points) {
        ProtobufMessage metric =
                new ProtobufMessage().text(1, name.dotted).text(2, name.help).text(3, name.unit.ucum);
        return switch (name.kind) {
            case GAUGE -> metric.message(5, points);
            case COUNTER ->
                metric.message(7, points.number(2, temporalityNumber()).number(3, 1));
            case HISTOGRAM -> metric.message(10, points.number(2, temporalityNumber()));
        };
    }

    private int temporalityNumber() {
        return switch (temporality) {
            case DELTA -> 1;
            case CUMULATIVE -> 2;
        };
    }

    private ProtobufMessage count(Series series, long value) {
        return attributes(new ProtobufMessage().fixed(2, from).fixed(3, to).fixed(6, value), 7, series);
    }

    private ProtobufMessage level(Series series, long value) {
        return attributes(new ProtobufMessage().fixed(3, to).real(4, value), 7, series);
    }

    private ProtobufMessage distribution(Series series, Distribution distribution) {
        ExponentialBuckets buckets = ExponentialBuckets.of(distribution);
        ProtobufMessage point = new ProtobufMessage()
                .fixed(2, from)
                .fixed(3, to)
                .fixed(4, distribution.count())
                .real(5, distribution.sum())
                .signed(6, buckets.scale())
                .fixed(7, buckets.zeros())
                .message(8, new ProtobufMessage().signed(1, buckets.offset()).numbers(2, buckets.counts()))
                .real(12, distribution.lowest())
                .real(13, distribution.highest());
        return attributes(point, 1, series);
    }

    private static ProtobufMessage attributes(ProtobufMessage point, int field, Series series) {
        List<String> keys = series.name().labels;
        for (int i = 0; i < keys.size(); i++) {
            ProtobufMessage value =
                    new ProtobufMessage().text(1, series.labels().get(i));
            point.message(field, new ProtobufMessage().text(1, keys.get(i)).message(2, value));
        }
        return point;
    }
}
