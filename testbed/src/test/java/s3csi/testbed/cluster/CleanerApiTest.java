package s3csi.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

    private static RunningController controller(Clock clock) {
        return RunningController.start(plane, clock, writes -> writes);
    }

    private static Pod serve(Scenario scenario) {
        return serve(scenario, Clock.systemUTC());
    }

    /** By a controller with this clock, which then ends. */
    private static Pod serve(Scenario scenario, Clock clock) {
        scenario.boundVolume("pv");
        Pod workload = scenario.workload("app", "n", "pv");
        try (RunningController _ = controller(clock)) {
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
        try (RunningController _ = controller(LATER)) {
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

    /** Twenty seconds of the two minutes really pass here. */
    @Test
    void whatVanishedIsReleasedTwoMinutesAfterItWasAttached() {
        Scenario scenario = new Scenario(plane.client(), "in-time");
        scenario.remove(serve(scenario));
        Clock ahead = Clock.offset(Clock.systemUTC(), Duration.ofSeconds(100));
        Instant attached = scenario.attachments()
                .getFirst()
                .getSpec()
                .mountpointS3PodAttachments()
                .values()
                .iterator()
                .next()
                .getFirst()
                .attachmentTime();
        try (RunningController _ = controller(ahead)) {
            scenario.soon("released", () -> scenario.attachments().isEmpty());
            assertThat(ahead.instant()).isAfterOrEqualTo(attached.plus(Duration.ofMinutes(2)));
        }
    }

    /** What such a clock wrote would otherwise hold until its time comes. */
    @Test
    void whatVanishedIsReleasedAlsoIfItWasAttachedByAClockThatWasADayAhead() {
        Scenario scenario = new Scenario(plane.client(), "ahead");
        scenario.remove(serve(scenario, Clock.offset(Clock.systemUTC(), Duration.ofDays(1))));
        try (RunningController _ = RunningController.start(plane)) {
            scenario.soon("released", () -> scenario.attachments().isEmpty());
        }
    }

    /** A job that is kept for its log, whose claim and volume somebody took away by force. */
    @Test
    void aWorkloadThatEndedIsReleasedThoughItsVolumeIsGone() {
        Scenario scenario = new Scenario(plane.client(), "by-force");
        Pod workload = serve(scenario);
        scenario.becomes(workload, "Running");
        scenario.removeVolume("pv");
        try (RunningController _ = RunningController.start(plane)) {
            scenario.boundVolume("marker");
            Pod marker = scenario.workload("marker", "n", "marker");
            scenario.soon("others are served", () -> scenario.isServed(workload, marker));
            scenario.becomes(workload, "Succeeded");
            scenario.soon("released", () -> scenario.isServed(marker));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, -1440})
    void aMountpointPodThatNothingNamesIsToldToEndOrRemoved(int minutesAhead) {
        Scenario scenario = new Scenario(plane.client(), "orphan" + minutesAhead);
        Pod workload = serve(scenario);
        scenario.remove(workload);
        plane.client().resource(scenario.attachments().getFirst()).delete();
        Pod mounted = scenario.onlyMountpointPod();
        Pod neverBegan = plane.client()
                .resource(new PodBuilder(mounted)
                        .withNewMetadata()
                        .withNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                        .withName("mp-never-began" + minutesAhead)
                        .withAnnotations(Map.of(Annotations.VOLUME_NAME, scenario.volumeName("pv")))
                        .endMetadata()
                        .withStatus(null)
                        .build())
                .create();
        try (RunningController _ = controller(Clock.offset(Clock.systemUTC(), Duration.ofMinutes(minutesAhead)))) {
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
        try (RunningController _ = controller(LATER)) {
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
