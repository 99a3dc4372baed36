package s3csi.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.kubernetes.Cluster;
import s3csi.kubernetes.PodAttachment;
import s3csi.s3.testing.process.Scratch;
import s3csi.volume.Driver;

/** What the controller may do is what it does, and nothing else. */
@Tag("api")
class ControllerRightsApiTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private static ControlPlane plane;
    private static Rights rights;
    private static Path directory;

    @BeforeAll
    static void start() {
        plane = ControlPlane.start();
        directory = Scratch.directory("rights");
        rights = Rights.grant(plane, "controller-rights.yaml");
    }

    @AfterAll
    static void stop() {
        plane.close();
        Scratch.delete(directory);
    }

    private static ControllerProgram program(String name) {
        return ControllerProgram.start(plane.kubeconfigOfStranger(), directory, name);
    }

    @Test
    void allOfItsWorkIsDoneWithTheseRightsAndEachIsUsed() {
        Scenario scenario = new Scenario(plane.client(), "rights");
        scenario.boundVolume("pv");
        scenario.boundVolume("senseless", Driver.NAME, Map.of("cache", "none such"));
        Pod waits = scenario.workload("waits", "n", "senseless");
        try (ControllerProgram first = program("first")) {
            first.awaitLeading();
            Pod one = scenario.workload("one", "n", "pv");
            Pod two = scenario.workload("two", "n", "pv");
            scenario.soon("served", () -> scenario.isServed(one, two));
            scenario.remove(scenario.onlyMountpointPod());
            scenario.soon("replaced", () -> scenario.isServed(one, two));
            scenario.becomes(one, "Succeeded");
            scenario.becomes(two, "Succeeded");
            scenario.soon("released", () -> scenario.attachments().isEmpty());
            scenario.mountpointPods().forEach(scenario::succeedsIfThere);
            scenario.soon("removed", () -> scenario.mountpointPods().isEmpty());
            scenario.soon("told", () -> scenario.eventsAbout(waits).size() == 1);
            assertThat(first.process().terminateWithin(SOON)).isZero();
            assertThat(first.log()).doesNotContainIgnoringCase("forbidden");
        }
        try (ControllerProgram second = program("second")) {
            scenario.soon(
                    "the next one counts up what was told",
                    () -> scenario.eventsAbout(waits).getFirst().getCount() == 2);
            assertThat(second.process().terminateWithin(SOON)).isZero();
            assertThat(second.log()).doesNotContainIgnoringCase("forbidden");
        }
        assertThat(rights.usedBy("scality-csi-controller")).isEqualTo(rights.granted());
    }

    private static Stream<Consumer<KubernetesClient>> misdeeds() {
        return Stream.of(
                client -> client.secrets().inNamespace("default").list(),
                client -> client.secrets()
                        .inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                        .list(),
                client -> client.configMaps()
                        .inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                        .list(),
                client -> client.resource(pod("default")).create(),
                client -> client.pods().inNamespace("default").withName("any").delete(),
                client -> client.resource(new ConfigMapBuilder()
                                .withNewMetadata()
                                .withName("any")
                                .withNamespace("default")
                                .endMetadata()
                                .build())
                        .create(),
                client -> client.persistentVolumes().withName("any").delete(),
                client -> client.persistentVolumeClaims()
                        .inNamespace("default")
                        .withName("any")
                        .delete(),
                client -> client.nodes().list(),
                client -> client.leases()
                        .inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                        .withName("other")
                        .get(),
                client -> client.leases().inNamespace("default").list(),
                client -> client.resources(PodAttachment.class).delete());
    }

    private static Pod pod(String namespace) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("any")
                .withNamespace(namespace)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .endContainer()
                .endSpec()
                .build();
    }

    @Test
    void nothingElseIsAllowed() {
        try (KubernetesClient client = Cluster.of(plane.kubeconfigOfStranger()).connect("stranger", "0")) {
            assertThat(misdeeds())
                    .allSatisfy(misdeed -> assertThatThrownBy(() -> misdeed.accept(client))
                            .isInstanceOfSatisfying(
                                    KubernetesClientException.class,
                                    refused -> assertThat(refused.getCode()).isEqualTo(403)));
        }
    }
}
