package s3csi.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.s3.testing.process.Scratch;

/** The controller as built. */
@Tag("api")
class ControllerProgramApiTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private static ControlPlane plane;
    private static Path directory;

    @BeforeAll
    static void start() {
        plane = ControlPlane.start();
        directory = Scratch.directory("controllers");
    }

    @AfterAll
    static void stop() {
        plane.close();
        Scratch.delete(directory);
    }

    private static ControllerProgram program(String name) {
        return ControllerProgram.start(plane.kubeconfig(), directory, name);
    }

    @Test
    void aControllerThatIsKilledOrStoppedIsFollowedByTheOneThatWaits() {
        Scenario scenario = new Scenario(plane.client(), "program");
        scenario.boundVolume("pv");
        try (ControllerProgram first = program("first")) {
            first.awaitLeading();
            try (ControllerProgram second = program("second")) {
                second.awaitWatching();
                Pod before = scenario.workload("before", "n", "pv");
                scenario.soon("the first serves", () -> scenario.isServed(before));
                assertThat(second.leads()).isFalse();
                assertThat(first.get("/healthz")).isEqualTo("ok\n");
                assertThat(first.get("/metrics"))
                        .contains("s3csi_attachments 1.0")
                        .contains("s3csi_mountpoint_pods 1.0")
                        .contains("s3csi_reconciles_total{outcome=\"done\"}");
                first.process().kill();
                Pod after = scenario.workload("after", "n", "pv");
                // Its lease has to end first.
                second.awaitLeading();
                scenario.soon("the second serves", () -> scenario.isServed(before, after));
                assertThat(second.process().terminateWithin(SOON)).isZero();
                assertThat(plane.client()
                                .leases()
                                .inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                                .withName("scality-csi-controller")
                                .get()
                                .getSpec()
                                .getLeaseDurationSeconds())
                        .as("it was given back: another need not wait longer")
                        .isEqualTo(1);
            }
        }
    }
}
