package s3csi.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A thousand workloads at once. How fast it is and what it costs is measured by {@code ./s3csi bench control}. */
@Tag("api")
class ManyPodsApiTest {
    private static final int WORKLOADS = 1000;
    private static final int VOLUMES = 20;
    private static final int NODES = 25;
    private static final int AT_ONCE = 8;

    @Test
    void aThousandWorkloadsAreServedOnceEachAndLeaveNothing() throws Exception {
        try (ControlPlane plane = ControlPlane.start();
                RunningController controller = RunningController.start(plane)) {
            Scenario scenario = new Scenario(plane.client(), "many");
            IntStream.range(0, VOLUMES).forEach(number -> scenario.boundVolume("pv-" + number));
            List<Pod> workloads = inParallel(number ->
                    scenario.workload("app-" + number, "n-" + number % NODES, "pv-" + number / NODES % VOLUMES));
            scenario.soon("all are served", () -> scenario.served().size() == WORKLOADS);
            assertThat(scenario.served())
                    .containsExactlyInAnyOrderElementsOf(workloads.stream()
                            .map(pod -> pod.getMetadata().getUid())
                            .toList());
            assertThat(scenario.attachments()).hasSize(VOLUMES * NODES);
            assertThat(scenario.mountpointPods()).hasSize(VOLUMES * NODES);
            inParallel(number -> {
                scenario.becomes(workloads.get(number), "Succeeded");
                return number;
            });
            scenario.soon("all are released", () -> scenario.attachments().isEmpty());
            assertThat(controller.controller().trouble()).isEmpty();
        }
    }

    private static <T> List<T> inParallel(IntFunction<T> work) throws Exception {
        Semaphore turns = new Semaphore(AT_ONCE);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> begun = IntStream.range(0, WORKLOADS)
                    .mapToObj(number -> threads.submit(() -> {
                        turns.acquire();
                        try {
                            return work.apply(number);
                        } finally {
                            turns.release();
                        }
                    }))
                    .toList();
            List<T> done = new ArrayList<>();
            for (Future<T> one : begun) {
                done.add(one.get());
            }
            return done;
        }
    }
}
