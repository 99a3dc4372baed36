package s3csi.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import s3csi.kubernetes.Annotations;
import s3csi.kubernetes.PodAttachment;
import s3csi.volume.Driver;

/** Claims are bound before or after their pods are made, and pods scheduled before or after that; the end is the same. */
@Tag("api")
class VolumeOrdersApiTest {
    private static final String OTHER = "other.csi.example.com";
    private static final AtomicInteger SCENARIOS = new AtomicInteger();

    private static ControlPlane plane;
    private static RunningController controller;

    private Scenario scenario;

    @BeforeAll
    static void start() {
        plane = ControlPlane.start();
        controller = RunningController.start(plane);
    }

    @AfterAll
    static void stop() {
        controller.close();
        plane.close();
    }

    @BeforeEach
    void makeNamespace() {
        scenario = new Scenario(plane.client(), "o" + SCENARIOS.incrementAndGet());
    }

    private void volumes(boolean areBound) {
        Map.of("one", Driver.NAME, "two", Driver.NAME, "other", OTHER).forEach((name, driver) -> {
            scenario.volume(name, driver, Map.of());
            scenario.claim(name);
            if (areBound) {
                scenario.bind(name);
            }
        });
    }

    private List<Pod> pods(boolean areScheduled, Map<String, String> nodes) {
        return nodes.entrySet().stream()
                .map(pod -> areScheduled
                        ? scenario.workload(pod.getKey(), pod.getValue(), "one", "two", "other")
                        : scenario.unscheduled(pod.getKey(), "one", "two", "other"))
                .toList();
    }

    /** Each uses two volumes of ours and one of another driver; two share a node, the third is on another. */
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void eachVolumeOfThisDriverIsServedOnceOnEachNode(boolean areBoundBefore, boolean areScheduledBefore) {
        Map<String, String> nodes = Map.of("a", "n", "b", "n", "c", "m");
        volumes(areBoundBefore);
        List<Pod> pods = pods(areScheduledBefore, nodes);
        if (!areBoundBefore || !areScheduledBefore) {
            marker();
            assertThat(ownAttachments()).isEmpty();
        }
        if (!areScheduledBefore) {
            pods.forEach(pod ->
                    scenario.schedule(pod, nodes.getOrDefault(pod.getMetadata().getName(), "")));
        }
        if (!areBoundBefore) {
            List.of("other", "two", "one").forEach(scenario::bind);
        }
        List<String> wanted = new ArrayList<>();
        pods.forEach(pod -> wanted.addAll(
                List.of(pod.getMetadata().getUid(), pod.getMetadata().getUid())));
        scenario.soon(
                "all are served",
                () -> scenario.served().stream().filter(wanted::contains).count() == wanted.size());
        assertThat(ownAttachments()).hasSize(4);
        assertThat(scenario.mountpointPods().stream()
                        .map(pod -> pod.getMetadata().getAnnotations().get(Annotations.VOLUME_NAME))
                        .filter(volume -> !volume.equals(scenario.volumeName("marker"))))
                .hasSize(4)
                .doesNotContain(scenario.volumeName("other"));
    }

    private List<PodAttachment> ownAttachments() {
        return scenario.attachments().stream()
                .filter(attachment ->
                        !attachment.getSpec().persistentVolumeName().equals(scenario.volumeName("marker")))
                .toList();
    }

    /** When it is served, everything before it was looked at. */
    private void marker() {
        scenario.boundVolume("marker");
        Pod marker = scenario.workload("marker", "marker", "marker");
        scenario.soon(
                "the marker is served",
                () -> scenario.served().contains(marker.getMetadata().getUid()));
    }

    @Test
    void volumesOfOtherKindsAreNotServed() {
        scenario.boundVolume("foreign", OTHER, Map.of());
        Volume empty = new VolumeBuilder()
                .withName("empty")
                .withNewEmptyDir()
                .endEmptyDir()
                .build();
        Volume host = new VolumeBuilder()
                .withName("host")
                .withNewHostPath()
                .withPath("/tmp")
                .endHostPath()
                .build();
        Volume inline = new VolumeBuilder()
                .withName("inline")
                .withNewCsi()
                .withDriver(Driver.NAME)
                .endCsi()
                .build();
        Volume foreign = Scenario.volumesOf("foreign").getFirst();
        Stream.of(List.of(empty), List.of(host), List.of(foreign, host, empty), List.of(inline))
                .forEach(volumes -> scenario.workload(
                        "pod-" + volumes.getFirst().getName(), Optional.of("n"), Optional.empty(), volumes));
        marker();
        assertThat(ownAttachments()).isEmpty();
    }

    /** Bound or not, and whatever becomes of them: none is looked at, let alone again and again. */
    @Test
    void podsWithVolumesOfOtherDriversCostNothing() {
        int others = 100;
        scenario.boundVolume("bound", OTHER, Map.of());
        scenario.claim("never-bound");
        double before = controller.reconciles();
        for (int number = 0; number < others; number++) {
            Pod pod = scenario.workload("other-" + number, "n", number % 2 == 0 ? "bound" : "never-bound");
            scenario.becomes(pod, "Running");
            scenario.becomes(pod, "Succeeded");
        }
        marker();
        assertThat(controller.reconciles()).isBetween(before + 1, before + others);
    }

    @Test
    void workloadsOfOneGroupShareAMountpointPod() {
        scenario.boundVolume("pv");
        Pod first = scenario.workload("first", Optional.of("n"), Optional.of(2000L), Scenario.volumesOf("pv"));
        Pod second = scenario.workload("second", Optional.of("n"), Optional.of(2000L), Scenario.volumesOf("pv"));
        scenario.soon("both are served", () -> scenario.isServed(first, second));
        assertThat(scenario.mountpointPods()).hasSize(1);
        assertThat(scenario.attachments().getFirst().getSpec().workloadFSGroup())
                .isEqualTo("2000");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cache=emptyDir",
                "cache=emptyDir,cacheEmptyDirMedium=Memory,cacheEmptyDirSizeLimit=64Mi",
                "cache=ephemeral,cacheEphemeralStorageClassName=fast,cacheEphemeralStorageResourceRequest=1Gi",
                "mountpointPodServiceAccountName=mounter",
                "mountpointContainerResourcesRequestsCpu=250m,mountpointContainerResourcesLimitsMemory=1Gi"
            })
    void theApiServerTakesWhatTheAttributesOfAVolumeAskFor(String text) {
        Map<String, String> attributes = new HashMap<>();
        for (String pair : text.split(",", -1)) {
            attributes.put(pair.split("=", 2)[0], pair.split("=", 2)[1]);
        }
        scenario.boundVolume("pv", Driver.NAME, attributes);
        Pod workload = scenario.workload("app", "n", "pv");
        scenario.soon("served", () -> scenario.isServed(workload));
        assertThat(scenario.onlyMountpointPod().getSpec().getServiceAccountName())
                .isEqualTo(attributes.get("mountpointPodServiceAccountName"));
    }

    /** Two controllers at once may have made both, and nobody is in them. */
    @Test
    void attachmentsThatServeNobodyAreRemoved() {
        scenario.boundVolume("pv");
        Pod workload = scenario.workload("app", "n", "pv");
        scenario.soon("served", () -> scenario.isServed(workload));
        PodAttachment attachment = scenario.attachments().getFirst();
        scenario.becomes(workload, "Succeeded");
        scenario.soon("released", () -> scenario.attachments().isEmpty());
        for (int number = 0; number < 2; number++) {
            plane.client()
                    .resource(PodAttachment.of(
                            attachment
                                    .getSpec()
                                    .withoutWorkload(workload.getMetadata().getUid()),
                            "3.0.0"))
                    .create();
        }
        scenario.soon("both are removed", () -> scenario.attachments().isEmpty());
        Pod next = scenario.workload("next", "n", "pv");
        scenario.soon("the next one is served", () -> scenario.isServed(next));
    }
}
