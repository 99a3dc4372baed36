package s3csi.testbed.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Workloads that come and go leave nothing behind. {@code S3CSI_POD_CYCLES} says how many; a thousand take some twenty minutes, and CI
 * does a few.
 */
class PodCyclesTest extends PodsStage {
    private static final int CYCLES = Integer.parseInt(System.getenv().getOrDefault("S3CSI_POD_CYCLES", "15"));

    /** Until every class that a cycle needs is loaded, and every pool has its size. */
    private static final int WARM_UP = 5;

    /** Timers and pools of libraries come and go. */
    private static final int SLACK = 8;

    private record Footprint(long descriptors, long threads) {}

    private Footprint footprint() throws IOException {
        Path process = Path.of("/proc", Long.toString(node.driver().process().pid()));
        return new Footprint(count(process.resolve("fd")), count(process.resolve("task")));
    }

    private static long count(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.count();
        }
    }

    private void cycle(int number) throws IOException {
        Pod workload = workload("app-" + number, "v");
        Path target = publish(workload, "v");
        assertThat(greeting(target)).isEqualTo(name("v"));
        finish(workload, "v");
        awaitNothingIsLeft();
        scenario.remove(workload);
    }

    @Test
    void workloadsComeAndGoAndLeaveNothing() throws IOException {
        volume("v");
        for (int i = 0; i < WARM_UP; i++) {
            cycle(i);
        }
        Footprint before = footprint();
        for (int i = 0; i < CYCLES; i++) {
            cycle(WARM_UP + i);
        }
        Footprint after = footprint();
        assertThat(after.descriptors()).isLessThanOrEqualTo(before.descriptors() + SLACK);
        assertThat(after.threads()).isLessThanOrEqualTo(before.threads() + SLACK);
    }
}
