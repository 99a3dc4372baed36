package s3csi.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import org.junit.jupiter.api.Test;
import s3csi.program.Release;

class ProgramMetricsTest {
    private final PrometheusRegistry registry = ProgramMetrics.of(new Release("3.1.4", "abc", "2026-01-01"));

    @Test
    void theBuildIsNamed() {
        assertThat(registry.scrape().stream()
                        .filter(InfoSnapshot.class::isInstance)
                        .map(InfoSnapshot.class::cast)
                        .filter(info -> info.getMetadata().getName().equals("s3csi_build"))
                        .flatMap(info -> info.getDataPoints().stream())
                        .map(InfoSnapshot.InfoDataPointSnapshot::getLabels))
                .containsExactly(Labels.of("version", "3.1.4", "commit", "abc"));
    }

    @Test
    void theJvmIsWatched() {
        assertThat(registry.scrape())
                .anySatisfy(metric -> assertThat(metric.getMetadata().getName()).isEqualTo("jvm_memory_used_bytes"));
    }
}
