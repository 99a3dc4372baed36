package s3csi.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
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
        scenario.soon(
                "everything is told to end",
                () -> scenario.attachments().isEmpty()
                        && scenario.mountpointPods().stream()
                                .allMatch(pod -> "true"
                                        .equals(pod.getMetadata()
                                                .getAnnotations()
                                                .get(Annotations.NEEDS_UNMOUNT))));
        scenario.mountpointPods().forEach(scenario::succeedsIfThere);
        scenario.soon("nothing is left", () -> scenario.mountpointPods().isEmpty());
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

    /** For each write that such a life takes, one controller ends just before it, and another follows. */
    @Test
    void aControllerThatIsKilledBeforeAnyOfItsWritesIsFollowedByOneThatGoesOn() {
        scenario.boundVolume("pv");
        AtomicInteger writes = new AtomicInteger();
        int killed = 0;
        for (int fatal = 1; fatal <= 3; fatal++) {
            writes.set(fatal);
            AtomicReference<FaultyWrites> faulty = new AtomicReference<>();
            Pod workload = scenario.workload("app-" + fatal, "n", "pv");
            try (RunningController _ = RunningController.start(plane, Clock.systemUTC(), real -> {
                FaultyWrites made =
                        new FaultyWrites(real, () -> writes.decrementAndGet() == 0 ? Fate.KILLED : Fate.DONE);
                faulty.set(made);
                return made;
            })) {
                scenario.soon(
                        "killed or served",
                        () -> faulty.get().isKilled()
                                || scenario.served()
                                        .contains(workload.getMetadata().getUid()));
                scenario.becomes(workload, "Succeeded");
                scenario.soon(
                        "killed or released",
                        () -> faulty.get().isKilled() || scenario.attachments().isEmpty());
            }
            killed += faulty.get().isKilled() ? 1 : 0;
            try (RunningController _ = RunningController.start(plane)) {
                Pod after = scenario.workload("after-" + fatal, "n", "pv");
                scenario.soon("the next one serves", () -> scenario.isServed(after));
                scenario.becomes(after, "Succeeded");
                scenario.soon("and releases", () -> scenario.attachments().isEmpty());
            }
        }
        assertThat(killed).isEqualTo(3);
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
