package s3csi.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.volume.Driver;

/** What people are told who look at their pod, their claim or a Mountpoint Pod. */
@Tag("api")
class ControllerEventsApiTest {
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
        scenario = new Scenario(plane.client(), "e" + SCENARIOS.incrementAndGet());
    }

    private void awaitTold(HasMetadata object, String type, String reason, String words) {
        scenario.soon(
                reason + " is told about " + object.getMetadata().getName(),
                () -> scenario.eventsAbout(object).stream()
                        .anyMatch(event -> event.getType().equals(type)
                                && event.getReason().equals(reason)
                                && event.getMessage().contains(words)));
    }

    private PersistentVolumeClaim claim(String name) {
        return plane.client()
                .persistentVolumeClaims()
                .inNamespace(scenario.name())
                .withName(name)
                .get();
    }

    @Test
    void aWorkloadIsToldWhichMountpointPodServesItAndWhetherItIsShared() {
        scenario.boundVolume("pv");
        Pod first = scenario.workload("first", "n", "pv");
        scenario.soon("served", () -> scenario.isServed(first));
        String made = scenario.onlyMountpointPod().getMetadata().getName();
        awaitTold(first, "Normal", "MountpointPodAssigned", made);
        Pod second = scenario.workload("second", "n", "pv");
        awaitTold(
                second,
                "Normal",
                "MountpointPodAssigned",
                made + " serves the volume " + scenario.volumeName("pv") + ", shared");
        assertThat(scenario.eventsAbout(first)).singleElement().satisfies(event -> {
            assertThat(event.getMessage()).doesNotContain("shared");
            assertThat(event.getSource().getComponent()).isEqualTo("scality-csi-controller");
        });
    }

    @Test
    void aMountpointPodSaysWhyItEnds() {
        scenario.boundVolume("pv");
        Pod workload = scenario.workload("app", "n", "pv");
        scenario.soon("served", () -> scenario.isServed(workload));
        Pod made = scenario.onlyMountpointPod();
        scenario.becomes(made, "Running");
        scenario.becomes(workload, "Succeeded");
        awaitTold(made, "Normal", "MountpointPodNotNeeded", "no pod uses its volume");
        scenario.becomes(made, "Succeeded");
        awaitTold(made, "Normal", "MountpointPodRemoved", "it has ended");
    }

    @Test
    void aMountpointPodThatFailsSaysSoAndItsWorkloadIsToldOfAnother() {
        scenario.boundVolume("pv");
        Pod workload = scenario.workload("app", "n", "pv");
        scenario.soon("served", () -> scenario.isServed(workload));
        Pod made = scenario.onlyMountpointPod();
        scenario.becomes(made, "Failed");
        awaitTold(made, "Warning", "MountpointPodFailed", "pods that need its volume get another");
        awaitTold(
                workload, "Warning", "MountpointPodReplaced", made.getMetadata().getName() + " no longer serves");
    }

    @Test
    void whatAQuotaRefusesIsToldInItsOwnWordsAndServedWhenItAllows() {
        scenario.boundVolume("pv");
        ResourceQuota quota = plane.client()
                .resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withName("few-pods")
                        .withNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                        .endMetadata()
                        .withNewSpec()
                        .addToHard("pods", new Quantity("0"))
                        .endSpec()
                        .build())
                .create();
        Pod workload;
        try {
            // What the controller for quotas would write.
            plane.client()
                    .resource(quota)
                    .subresource("status")
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            "{\"status\":{\"hard\":{\"pods\":\"0\"},\"used\":{\"pods\":\"0\"}}}");
            scenario.soon("it counts", this::isRefused);
            workload = scenario.workload("app", "n", "pv");
            awaitTold(workload, "Warning", "MountpointPodRefused", "exceeded quota: few-pods");
            awaitTold(claim("pv"), "Warning", "MountpointPodRefused", "few-pods");
        } finally {
            plane.client().resource(quota).delete();
        }
        scenario.soon("served", () -> scenario.isServed(workload));
        assertThat(scenario.eventsAbout(workload))
                .filteredOn(event -> event.getReason().equals("MountpointPodRefused"))
                .as("however often it was tried")
                .hasSize(1);
    }

    private boolean isRefused() {
        try {
            plane.client()
                    .resource(SampleObjects.pod(ControlPlane.MOUNTPOINT_NAMESPACE, "probe", "n", ""))
                    .dryRun()
                    .create();
            return false;
        } catch (KubernetesClientException e) {
            return e.getCode() == HttpURLConnection.HTTP_FORBIDDEN;
        }
    }

    @Test
    void aClaimThatNamesTheVolumeOfAnotherIsTold() {
        scenario.boundVolume("pv");
        scenario.claim("late");
        Pod workload = scenario.workload("app", "n", "late");
        scenario.bind("late", "pv");
        awaitTold(
                workload,
                "Warning",
                "VolumeOfAnotherClaim",
                "which is for the claim pv in the namespace " + scenario.name());
        awaitTold(claim("late"), "Warning", "VolumeOfAnotherClaim", scenario.volumeName("pv"));
        assertThat(scenario.attachments()).isEmpty();
    }

    @Test
    void aClaimThatIsNotBoundYetIsNothingToTell() {
        scenario.volume("pv", Driver.NAME, Map.of());
        scenario.claim("pv");
        Pod waits = scenario.workload("waits", "n", "pv");
        scenario.boundVolume("marker");
        Pod marker = scenario.workload("marker", "n", "marker");
        awaitTold(marker, "Normal", "MountpointPodAssigned", "");
        assertThat(scenario.eventsAbout(waits)).isEmpty();
        assertThat(scenario.eventsAbout(claim("pv"))).isEmpty();
    }

    /** The source of a volume cannot be edited, so it is made anew. */
    @Test
    void aMistakeIsToldOnceHoweverOftenItIsLookedAtAndTheVolumeIsServedWhenItIsMadeAnew() {
        scenario.boundVolume("pv", Driver.NAME, Map.of("cache", "emptyDir", "cacheEmptyDirSizeLimit", "much"));
        Pod workload = scenario.workload("app", "n", "pv");
        awaitTold(workload, "Warning", "InvalidField", "cacheEmptyDirSizeLimit");
        awaitTold(claim("pv"), "Warning", "InvalidField", "cacheEmptyDirSizeLimit");
        for (int look = 0; look < 10; look++) {
            plane.client()
                    .resource(workload)
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            "{\"metadata\":{\"labels\":{\"look\":\"%d\"}}}".formatted(look));
        }
        makeAnew("pv", Map.of("cache", "emptyDir", "cacheEmptyDirSizeLimit", "1Gi"));
        scenario.soon("served", () -> scenario.isServed(workload));
        List<Event> told = scenario.eventsAbout(workload).stream()
                .filter(event -> event.getReason().equals("InvalidField"))
                .toList();
        assertThat(told)
                .singleElement()
                .satisfies(event -> assertThat(event.getCount()).isEqualTo(1));
    }

    private void makeAnew(String volume, Map<String, String> attributes) {
        var there = plane.client().persistentVolumes().withName(scenario.volumeName(volume));
        there.delete();
        // Kubernetes keeps a volume that is bound until somebody insists.
        there.edit(found -> new PersistentVolumeBuilder(found)
                .editMetadata()
                .withFinalizers()
                .endMetadata()
                .build());
        scenario.volume(volume, Driver.NAME, attributes);
    }
}
