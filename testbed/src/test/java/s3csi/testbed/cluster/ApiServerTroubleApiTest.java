package s3csi.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.kubernetes.Cluster;
import s3csi.s3.testing.process.Await;
import s3csi.testbed.cluster.TroubledApiServer.Trouble;
import s3csi.testbed.s3.TcpProxy;

/** An API server that refuses, breaks off, forgets or falls silent. When it is well again, everything is as if nothing had been. */
@Tag("api")
class ApiServerTroubleApiTest {
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
        scenario = new Scenario(plane.client(), "s" + SCENARIOS.incrementAndGet());
        scenario.boundVolume("pv");
    }

    private static RunningController through(TroubledApiServer server) {
        return RunningController.start(
                Cluster.of(plane.kubeconfig(server.address())), Clock.systemUTC(), writes -> writes);
    }

    /** One workload after the other is served and released. */
    private void live(String name) {
        Pod first = scenario.workload(name + "-1", "n", "pv");
        Pod second = scenario.workload(name + "-2", "n", "pv");
        scenario.soon("both are served", () -> scenario.isServed(first, second));
        scenario.becomes(first, "Succeeded");
        scenario.soon("the first is released", () -> scenario.isServed(second));
        scenario.becomes(second, "Succeeded");
        scenario.soon("all is released", () -> scenario.attachments().isEmpty());
        scenario.mountpointPods().forEach(scenario::succeedsIfThere);
        scenario.soon("nothing is left", () -> scenario.mountpointPods().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void stormsOfEverythingEndAsFairWeatherDoes(long seed) throws IOException {
        Random random = new Random(seed);
        try (TroubledApiServer server = new TroubledApiServer(plane, request -> {
                    synchronized (random) {
                        return switch (random.nextInt(12)) {
                            case 0 -> Trouble.GONE;
                            case 1 -> Trouble.BUSY;
                            case 2 -> Trouble.BROKEN;
                            case 3 -> Trouble.CUT;
                            default -> Trouble.NONE;
                        };
                    }
                });
                RunningController _ = through(server)) {
            live("storm");
            assertThat(server.troubled()).isPositive();
        }
    }

    /** All watches end at once, and none can begin for a while. */
    @ParameterizedTest
    @EnumSource(names = {"GONE", "BUSY", "BROKEN", "CUT"})
    void watchesThatCannotBeginForAWhileMissNothing(Trouble trouble) throws IOException {
        AtomicBoolean isBad = new AtomicBoolean();
        try (TroubledApiServer server = new TroubledApiServer(
                        plane, request -> isBad.get() && TroubledApiServer.isWatch(request) ? trouble : Trouble.NONE);
                TcpProxy line = TcpProxy.before(server.address());
                RunningController _ = RunningController.start(
                        Cluster.of(plane.kubeconfig(line.endpoint())), Clock.systemUTC(), writes -> writes)) {
            live("before");
            isBad.set(true);
            // Cuts what is connected.
            line.pass();
            Await.until(Scenario.SOON, () -> "no watch was tried again", () -> server.troubled() >= 8);
            Pod meanwhile = scenario.workload("meanwhile", "n", "pv");
            isBad.set(false);
            scenario.soon("served", () -> scenario.isServed(meanwhile));
            scenario.becomes(meanwhile, "Succeeded");
            scenario.soon("released", () -> scenario.attachments().isEmpty());
        }
    }

    @Test
    void aListThatExpiresBetweenItsPagesIsReadAnew() throws IOException {
        scenario.boundVolume("other");
        scenario.boundVolume("another");
        AtomicInteger expired = new AtomicInteger(3);
        try (TroubledApiServer server = new TroubledApiServer(
                        plane,
                        request -> TroubledApiServer.isNextPage(request) && expired.getAndDecrement() > 0
                                ? Trouble.EXPIRED
                                : Trouble.NONE);
                RunningController _ = RunningController.start(
                        Cluster.of(plane.kubeconfig(server.address())), Clock.systemUTC(), writes -> writes)) {
            assertThat(expired.get()).as("all that were to expire did").isNotPositive();
            live("paged");
        }
    }

    /** Connections stand, and nothing comes: only who asks notices. */
    @Test
    void watchesThatDiedWithoutAWordAreSetUpAgain() {
        try (TcpProxy line = TcpProxy.before(plane.address());
                RunningController _ = RunningController.start(
                        Cluster.of(plane.kubeconfig(line.endpoint()))
                                .waiting(Duration.ofSeconds(2), Duration.ofMillis(300)),
                        Clock.systemUTC(),
                        writes -> writes)) {
            Pod before = scenario.workload("before", "n", "pv");
            scenario.soon("served", () -> scenario.isServed(before));
            line.stallConnections();
            Pod after = scenario.workload("after", "n", "pv");
            scenario.soon("served", () -> scenario.isServed(before, after));
        }
    }

    @Test
    void anApiServerThatIsAwayForLongerThanAnyRequestIsRepeatedIsFoundAgain() {
        try (TcpProxy line = TcpProxy.before(plane.address());
                RunningController running = RunningController.start(
                        Cluster.of(plane.kubeconfig(line.endpoint())), Clock.systemUTC(), writes -> writes)) {
            Pod before = scenario.workload("before", "n", "pv");
            scenario.soon("served", () -> scenario.isServed(before));
            line.refuse();
            Pod meanwhile = scenario.workload("meanwhile", "n", "pv");
            scenario.becomes(before, "Succeeded");
            long since = System.nanoTime();
            Await.until(
                    Scenario.SOON,
                    () -> "time stands still",
                    () -> System.nanoTime() - since > Duration.ofSeconds(8).toNanos());
            assertThat(running.controller().trouble())
                    .as("kubelet would gain nothing by starting it again")
                    .isEmpty();
            line.pass();
            scenario.soon("what happened meanwhile is made up for", () -> scenario.isServed(meanwhile));
        }
    }
}
