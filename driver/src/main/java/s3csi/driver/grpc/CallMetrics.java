package s3csi.driver.grpc;

import io.grpc.Status;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;
import org.jspecify.annotations.Nullable;
import s3csi.volume.Cause;
import s3csi.volume.CauseFaces;

/** How many calls, how long, how they ended, and why they failed. Labels have few values and never come from a request. */
public final class CallMetrics {
    private final Histogram seconds;
    private final Counter failures;

    public CallMetrics(PrometheusRegistry registry) {
        seconds = Histogram.builder()
                .name("s3csi_rpc_seconds")
                .help("Time to answer a CSI call")
                .unit(Unit.SECONDS)
                .labelNames("method", "code")
                .classicUpperBounds(0.001, 0.005, 0.02, 0.1, 0.5, 1, 5, 20, 60)
                .classicOnly()
                .register(registry);
        failures = Counter.builder()
                .name("s3csi_rpc_failures_total")
                .help("CSI calls that failed, by cause; docs/troubleshooting.md has a section for each")
                .labelNames("method", "cause")
                .register(registry);
    }

    void ended(String method, Status.Code code, @Nullable Cause cause, long nanos) {
        seconds.labelValues(method, code.name()).observe(Unit.nanosToSeconds(nanos));
        if (cause != null) {
            failures.labelValues(method, CauseFaces.word(cause)).inc();
        }
    }
}
