package s3csi.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.kubernetes.Annotations;
import s3csi.kubernetes.PodAttachment;

/** What a controller finds when it begins to lead, and every two minutes. Its clock is ahead, so that what was made just now is old. */
@Tag("api")
class CleanerApiTest {
    private static final Clock LATER = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(10));

    private static ControlPlane plane;

    @BeforeAll
    static void start() {
        plane = ControlPlane.start();
    }

    @AfterAll
    static void stop() {
        plane.close();
    }

    private static Pod serve(Scenario scenario) {
        scenario.boundVolume("pv");
        Pod workload = scenario.workload("app", "n", "pv");
        try (RunningController _ = RunningController.start(plane)) {
            scenario.soon("served", () -> scenario.isServed(workload));
        }
        scenario.becomes(scenario.onlyMountpointPod(), "Running");
        return workload;
    }

    @Test
    void whatVanishedWhileNoControllerLookedIsReleased() {
        Scenario scenario = new Scenario(plane.client(), "vanished");
        Pod workload = serve(scenario);
        scenario.remove(workload);
        try (RunningController _ = RunningController.start(plane, LATER, writes -> writes)) {
            scenario.soon("released", () -> scenario.attachments().isEmpty());
            assertThat(scenario.onlyMountpointPod().getMetadata().getAnnotations())
                    .containsEntry(Annotations.NEEDS_UNMOUNT, "true");
        }
    }

    @Test
    void whatVanishedJustNowIsNotReleasedYet() {
        Scenario scenario = new Scenario(plane.client(), "young");
        Pod workload = serve(scenario);
        scenario.remove(workload);
        scenario.boundVolume("marker");
        Pod marker = scenario.workload("marker", "n", "marker");
        try (RunningController _ = RunningController.start(plane)) {
            scenario.soon(
                    "others are served",
                    () -> scenario.served().contains(marker.getMetadata().getUid()));
            assertThat(scenario.served()).contains(workload.getMetadata().getUid());
        }
    }

    @Test
    void aMountpointPodThatNothingNamesIsToldToEndOrRemoved() {
        Scenario scenario = new Scenario(plane.client(), "orphan");
        Pod workload = serve(scenario);
        scenario.remove(workload);
        plane.client().resource(scenario.attachments().getFirst()).delete();
        Pod mounted = scenario.onlyMountpointPod();
        Pod neverBegan = plane.client()
                .resource(new PodBuilder(mounted)
                        .withNewMetadata()
                        .withNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                        .withName("mp-never-began")
                        .withAnnotations(Map.of(Annotations.VOLUME_NAME, scenario.volumeName("pv")))
                        .endMetadata()
                        .withStatus(null)
                        .build())
                .create();
        try (RunningController _ = RunningController.start(plane, LATER, writes -> writes)) {
            scenario.soon(
                    "one is removed, the other told to end",
                    () -> !Scenario.names(scenario.mountpointPods())
                                    .contains(neverBegan.getMetadata().getName())
                            && scenario.onlyMountpointPod()
                                    .getMetadata()
                                    .getAnnotations()
                                    .containsKey(Annotations.NEEDS_UNMOUNT));
        }
    }

    @Test
    void anAttachmentOfAnEarlierReleaseIsDrained() {
        Scenario scenario = new Scenario(plane.client(), "earlier");
        Pod workload = serve(scenario);
        scenario.becomes(workload, "Running");
        PodAttachment attachment = scenario.attachments().getFirst();
        plane.client()
                .pods()
                .inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                .withName(scenario.onlyMountpointPod().getMetadata().getName())
                .edit(pod -> new PodBuilder(pod)
                        .editMetadata()
                        .addToLabels("s3.csi.scality.com/mounted-by-csi-driver-version", "2.1.1")
                        .endMetadata()
                        .build());
        try (RunningController _ = RunningController.start(plane, LATER, writes -> writes)) {
            Pod joins = scenario.workload("joins", "n", "pv");
            scenario.soon("both are served", () -> scenario.isServed(workload, joins));
            assertThat(scenario.mountpointPods()).hasSize(2);
            assertThat(Scenario.names(scenario.attachments()))
                    .containsExactly(attachment.getMetadata().getName());
            scenario.becomes(workload, "Succeeded");
            scenario.soon("the earlier one drains", () -> scenario.isServed(joins));
        }
    }

    @Test
    void volumesThatShareAHandleAreReported() {
        Scenario scenario = new Scenario(plane.client(), "handles");
        scenario.boundVolume("one");
        plane.client()
                .resource(new PersistentVolumeBuilder(plane.client()
                                .persistentVolumes()
                                .withName(scenario.volumeName("one"))
                                .get())
                        .withNewMetadata()
                        .withName(scenario.volumeName("two"))
                        .endMetadata()
                        .build())
                .create();
        PersistentVolumeClaim claim = plane.client()
                .persistentVolumeClaims()
                .inNamespace("handles")
                .withName("one")
                .get();
        try (RunningController _ = RunningController.start(plane)) {
            scenario.soon(
                    "its owner is told",
                    () -> scenario.eventsAbout(claim).stream()
                            .anyMatch(event -> event.getReason().equals("SharedVolumeHandle")
                                    && event.getMessage().contains(scenario.volumeName("two"))));
        }
    }
}
