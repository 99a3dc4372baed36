package s3csi.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.kubernetes.Annotations;
import s3csi.testbed.cluster.FaultyWrites.Fate;

/** Whatever goes wrong on the way, the end is the same: each workload is served once, and what is not needed ends. */
@Tag("api")
class ControllerFaultsApiTest {
    private static final AtomicInteger SCENARIOS = new AtomicInteger();

    private static ControlPlane plane;

    private Scenario scenario;

    @BeforeAll
    static void start() {
        plane = ControlPlane.start();
    }

    @AfterAll
    static void stop() {
        plane.close();
    }

    @BeforeEach
    void makeNamespace() {
        scenario = new Scenario(plane.client(), "f" + SCENARIOS.incrementAndGet());
    }

    /** Its clock is ahead, so that a Mountpoint Pod that was left behind just now is old. */
    private static RunningController controller(Supplier<Fate> plan) {
        return RunningController.start(
                plane,
                Clock.offset(Clock.systemUTC(), Duration.ofMinutes(10)),
                writes -> new FaultyWrites(writes, plan));
    }

    /** A life of workloads that share a volume, from the first to the last. */
    private void liveAndEnd() {
        List<Pod> workloads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            workloads.add(scenario.workload("app-" + i, "n-" + i % 2, "pv"));
        }
        scenario.soon(
                "all are served, each once",
                () -> scenario.isServed(workloads.toArray(Pod[]::new))
                        && scenario.attachments().size() == 2);
        workloads.forEach(workload -> scenario.becomes(workload, "Succeeded"));
        awaitEnd();
    }

    private void awaitEnd() {
        scenario.soon("everything is told to end", this::isToldToEnd);
        scenario.mountpointPods().forEach(scenario::succeedsIfThere);
        scenario.soon("nothing is left", () -> scenario.mountpointPods().isEmpty());
    }

    private boolean isToldToEnd() {
        return scenario.attachments().isEmpty()
                && scenario.mountpointPods().stream()
                        .allMatch(pod ->
                                "true".equals(pod.getMetadata().getAnnotations().get(Annotations.NEEDS_UNMOUNT)));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void stormsOfRefusalsAndLostAnswersChangeNothingOfTheEnd(long seed) {
        Random random = new Random(seed);
        scenario.boundVolume("pv");
        try (RunningController _ = controller(() -> switch (random.nextInt(5)) {
            case 0 -> Fate.CONFLICT;
            case 1 -> Fate.BUSY;
            case 2 -> Fate.ANSWER_LOST;
            default -> Fate.DONE;
        })) {
            liveAndEnd();
        }
    }

    /** A part of a life: what happens, and what a controller makes of it. */
    private record Stage(String name, Runnable begin, BooleanSupplier end) {}

    /** Two workloads come and go, and with them a Mountpoint Pod and an attachment; at no time are there more of either. */
    private List<Stage> life(String name) {
        List<Pod> workloads = new ArrayList<>();
        return List.of(
                new Stage(
                        "the first is served",
                        () -> workloads.add(scenario.workload(name + "-1", "n", "pv")),
                        () -> scenario.isServed(workloads.get(0)) && isOneOfEach()),
                new Stage(
                        "both are served",
                        () -> workloads.add(scenario.workload(name + "-2", "n", "pv")),
                        () -> scenario.isServed(workloads.get(0), workloads.get(1)) && isOneOfEach()),
                new Stage(
                        "only the second is served",
                        () -> scenario.becomes(workloads.get(0), "Succeeded"),
                        () -> scenario.isServed(workloads.get(1)) && isOneOfEach()),
                new Stage("all are released", () -> scenario.becomes(workloads.get(1), "Failed"), this::isToldToEnd),
                new Stage(
                        "nothing is left",
                        () -> scenario.mountpointPods().forEach(scenario::succeedsIfThere),
                        () -> scenario.mountpointPods().isEmpty()));
    }

    private boolean isOneOfEach() {
        return scenario.attachments().size() == 1 && scenario.mountpointPods().size() == 1;
    }

    /** For each write that a life takes, one controller ends just before it, and another follows. */
    @Test
    void aControllerThatIsKilledBeforeAnyOfItsWritesIsFollowedByOneThatGoesOn() {
        scenario.boundVolume("pv");
        int writes = 0;
        while (isKilledBefore(writes + 1)) {
            writes++;
        }
        // A pod, an attachment, a second workload, one less, told to unmount, the attachment deleted, the pod deleted.
        assertThat(writes).isGreaterThanOrEqualTo(7);
    }

    /** Whether a controller in whose life there is such a write was killed before it; the next one brings the life to its end. */
    private boolean isKilledBefore(int write) {
        AtomicInteger left = new AtomicInteger(write);
        AtomicReference<FaultyWrites> faulty = new AtomicReference<>();
        Iterator<Stage> stages = life("life-" + write).iterator();
        Stage stage = stages.next();
        try (RunningController _ = RunningController.start(plane, Clock.systemUTC(), real -> {
            faulty.set(new FaultyWrites(real, () -> left.decrementAndGet() == 0 ? Fate.KILLED : Fate.DONE));
            return faulty.get();
        })) {
            while (isReachedAlive(stage, faulty.get())) {
                if (!stages.hasNext()) {
                    return false;
                }
                stage = stages.next();
            }
        }
        try (RunningController _ = RunningController.start(plane)) {
            scenario.soon(stage.name(), stage.end());
            while (stages.hasNext()) {
                Stage next = stages.next();
                next.begin().run();
                scenario.soon(next.name(), next.end());
            }
        }
        return true;
    }

    private boolean isReachedAlive(Stage stage, FaultyWrites writes) {
        stage.begin().run();
        scenario.soon(
                stage.name() + ", or the controller is killed",
                () -> writes.isKilled() || stage.end().getAsBoolean());
        return !writes.isKilled();
    }

    /** They should not be, as only one leads; but a lease is no proof. */
    @Test
    void twoControllersAtOnceServeEachWorkloadOnce() {
        scenario.boundVolume("pv");
        try (RunningController _ = controller(() -> Fate.DONE);
                RunningController _ = controller(() -> Fate.DONE)) {
            liveAndEnd();
        }
    }

    @Test
    void anApiServerThatWasAwayIsWatchedAgain() {
        scenario.boundVolume("pv");
        try (RunningController _ = RunningController.start(plane)) {
            Pod before = scenario.workload("before", "n", "pv");
            scenario.soon("served", () -> scenario.isServed(before));
            plane.restartApiServer();
            Pod after = scenario.workload("after", "n", "pv");
            scenario.soon("served", () -> scenario.isServed(before, after));
        }
    }
}
