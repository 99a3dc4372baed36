package s3csi.driver.bucket;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.Locale;

/** What happens to buckets, and how the store answers. */
public final class BucketMetrics {
    private final Counter kept;
    private final Histogram seconds;

    public BucketMetrics(PrometheusRegistry registry) {
        kept = Counter.builder()
                .name("s3csi_buckets_kept_total")
                .help("Volumes deleted whose bucket was kept, by reason")
                .labelNames("reason")
                .register(registry);
        for (Kept reason : Kept.values()) {
            kept.initLabelValues(reason.label());
        }
        seconds = Histogram.builder()
                .name("s3csi_bucket_call_seconds")
                .help("Time the store took for a bucket call, retries included")
                .unit(Unit.SECONDS)
                .labelNames("operation", "outcome")
                .classicUpperBounds(0.005, 0.02, 0.1, 0.5, 1, 5, 20)
                .classicOnly()
                .register(registry);
    }

    /** Why a bucket outlives its volume. */
    enum Kept {
        NOT_EMPTY,
        OF_ANOTHER;

        String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    void kept(Kept reason) {
        kept.labelValues(reason.label()).inc();
    }

    void called(String operation, boolean answered, long nanos) {
        seconds.labelValues(operation, answered ? "ok" : "error").observe(Unit.nanosToSeconds(nanos));
    }
}
