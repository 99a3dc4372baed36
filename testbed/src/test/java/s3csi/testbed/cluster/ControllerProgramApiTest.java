package s3csi.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.kubernetes.PodAttachment;
import s3csi.s3.testing.process.Await;
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
                assertThat(userOf(scenario.onlyMountpointPod())).isEqualTo(1000);
                assertThat(first.get("/healthz")).isEqualTo("ok\n");
                // They tell what the controller has heard of, which may be a moment later, of all in the API server.
                int attachments = plane.client()
                        .resources(PodAttachment.class)
                        .list()
                        .getItems()
                        .size();
                scenario.soon(
                        "its metrics tell of it",
                        () -> first.get("/metrics").contains("s3csi_attachments %d.0".formatted(attachments)));
                assertThat(first.get("/metrics"))
                        .containsPattern("s3csi_mountpoint_pods [1-9]")
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

    /** OpenShift refuses pods that choose their own users; a cluster is one if it has its kinds. */
    @Test
    void openShiftIsKnownByItsKinds() {
        Scenario scenario = new Scenario(plane.client(), "openshift");
        scenario.boundVolume("pv");
        CustomResourceDefinition kind = plane.client()
                .resource(new CustomResourceDefinitionBuilder()
                        .withNewMetadata()
                        .withName("clusterversions.config.openshift.io")
                        .endMetadata()
                        .withNewSpec()
                        .withGroup("config.openshift.io")
                        .withScope("Cluster")
                        .withNewNames()
                        .withKind("ClusterVersion")
                        .withPlural("clusterversions")
                        .endNames()
                        .addNewVersion()
                        .withName("v1")
                        .withServed(true)
                        .withStorage(true)
                        .withNewSchema()
                        .withNewOpenAPIV3Schema()
                        .withType("object")
                        .endOpenAPIV3Schema()
                        .endSchema()
                        .endVersion()
                        .endSpec()
                        .build())
                .create();
        Await.until(
                SOON, () -> "the kind is not served", () -> plane.client().getApiGroup("config.openshift.io") != null);
        try (ControllerProgram controller = program("on-openshift")) {
            controller.awaitLeading();
            Pod workload = scenario.workload("app", "n", "pv");
            scenario.soon("served", () -> scenario.isServed(workload));
            assertThat(userOf(scenario.onlyMountpointPod())).isNull();
        } finally {
            plane.client().resource(kind).delete();
        }
    }

    private static @Nullable Long userOf(Pod mountpointPod) {
        return mountpointPod
                .getSpec()
                .getContainers()
                .getFirst()
                .getSecurityContext()
                .getRunAsUser();
    }
}
