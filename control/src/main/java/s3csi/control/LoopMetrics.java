package s3csi.control;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.function.DoubleSupplier;

/** What an operator wants to know of the loop at a glance. */
public final class LoopMetrics {
    private final Counter outcomes;
    private final PrometheusRegistry registry;

    /**
     * Counts from now on.
     *
     * @param name of the counter of outcomes
     */
    public LoopMetrics(PrometheusRegistry registry, String name, String help) {
        this.registry = registry;
        outcomes = Counter.builder().name(name).help(help).labelNames("outcome").register(registry);
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
    public void show(String name, String help, DoubleSupplier value) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .callback(callback -> callback.call(value.getAsDouble()))
                .register(registry);
    }
}
