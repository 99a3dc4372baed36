package s3csi.health;

import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import s3csi.program.Release;

/** The metrics that every program has: which build it is, and how its JVM does. */
public final class ProgramMetrics {
    private ProgramMetrics() {}

    /** A registry that has them, for the program to add its own. */
    public static PrometheusRegistry of(Release release) {
        PrometheusRegistry registry = new PrometheusRegistry();
        JvmMetrics.builder().register(registry);
        Info.builder()
                .name("s3csi_build")
                .help("Which build this is")
                .labelNames("version", "commit")
                .register(registry)
                .addLabelValues(release.version(), release.commit());
        return registry;
    }
}
