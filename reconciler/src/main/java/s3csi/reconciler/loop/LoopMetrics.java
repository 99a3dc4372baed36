package s3csi.reconciler.loop;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.function.DoubleSupplier;

/** What an operator wants to know of the loop at a glance. */
final class LoopMetrics {
    private final Counter outcomes;
    private final PrometheusRegistry registry;

    LoopMetrics(PrometheusRegistry registry) {
        this.registry = registry;
        outcomes = Counter.builder()
                .name("s3csi_reconciles")
                .help(
                        "How often something was reconciled, by how it ended; a conflict means that another write came first")
                .labelNames("outcome")
                .register(registry);
    }

    void succeeded() {
        outcomes.labelValues("done").inc();
    }

    void conflicted() {
        outcomes.labelValues("conflict").inc();
    }

    void failed() {
        outcomes.labelValues("failed").inc();
    }

    /** A number that is read when it is asked for. */
    void show(String name, String help, DoubleSupplier value) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .callback(callback -> callback.call(value.getAsDouble()))
                .register(registry);
    }
}
