package s3csi.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.kubernetes.Annotations;
import s3csi.kubernetes.Labels;
import s3csi.kubernetes.PodAttachment;
import s3csi.kubernetes.SharingKey;
import s3csi.volume.Driver;
import s3csi.volume.mount.Names;
import s3csi.volume.mount.Workload;

/** Which Mountpoint Pods and attachments a controller makes of workloads, in a real API server. */
@Tag("api")
class MountpointPodsApiTest {
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
        scenario = new Scenario(plane.client(), "t" + SCENARIOS.incrementAndGet());
    }

    /** A volume that is served shows that everything before it was looked at. */
    private void settle() {
        scenario.boundVolume("marker");
        Pod marker = scenario.workload("marker", "marker", "marker");
        scenario.soon(
                "the marker is served",
                () -> scenario.served().contains(marker.getMetadata().getUid()));
    }

    private List<String> servedVolumes() {
        return scenario.attachments().stream()
                .map(attachment -> attachment.getSpec().persistentVolumeName())
                .sorted()
                .toList();
    }

    @Test
    void aScheduledWorkloadGetsAMountpointPodAndAnAttachmentThatNamesIt() {
        scenario.boundVolume("pv");
        Pod workload = scenario.workload("app", "n", "pv");
        scenario.soon("served", () -> scenario.isServed(workload));
        Pod made = scenario.onlyMountpointPod();
        assertThat(made.getMetadata().getName())
                .isEqualTo(Names.mountpointPod(
                        new Workload(workload.getMetadata().getUid(), scenario.volumeName("pv")), 0));
        assertThat(made.getMetadata().getLabels())
                .containsEntry(Labels.POD_UID, workload.getMetadata().getUid())
                .containsEntry(Labels.VOLUME_NAME, scenario.volumeName("pv"))
                .containsEntry(Labels.DRIVER_VERSION, RunningController.VERSION)
                .containsEntry(Labels.MOUNTPOINT_VERSION, "1.0");
        assertThat(made.getSpec().getPriority()).isEqualTo(1_000_000_000);
        assertThat(scenario.attachments())
                .singleElement()
                .extracting(attachment -> attachment.getSpec().key())
                .isEqualTo(new SharingKey(
                        scenario.node("n"),
                        scenario.volumeName("pv"),
                        "handle-of-" + scenario.volumeName("pv"),
                        "allow-delete",
                        ""));
    }

    @Test
    void eachVolumeOfThisDriverHasOneAndOtherVolumesHaveNone() {
        scenario.boundVolume("one");
        scenario.boundVolume("two");
        scenario.boundVolume("other", "other.csi.example.com", Map.of());
        Pod workload = scenario.workload("app", "n", "one", "two", "other");
        String uid = workload.getMetadata().getUid();
        scenario.soon("both are served", () -> scenario.served().equals(List.of(uid, uid)));
        scenario.workload("plain", "n");
        settle();
        assertThat(servedVolumes())
                .containsExactly(scenario.volumeName("marker"), scenario.volumeName("one"), scenario.volumeName("two"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bind schedule", "schedule bind"})
    void nothingIsMadeBeforeBothClaimAndPodAreReady(String order) {
        scenario.volume("pv", Driver.NAME, Map.of());
        scenario.claim("pv");
        Pod workload = scenario.unscheduled("app", "pv");
        for (String step : order.split(" ", -1)) {
            settleOnce();
            assertThat(servedVolumes()).doesNotContain(scenario.volumeName("pv"));
            switch (step) {
                case "bind" -> scenario.bind("pv");
                default -> scenario.schedule(workload, "n");
            }
        }
        scenario.soon(
                "served",
                () -> scenario.served().contains(workload.getMetadata().getUid()));
    }

    private void settleOnce() {
        if (!servedVolumes().contains(scenario.volumeName("marker"))) {
            settle();
        }
    }

    @Test
    void workloadsOnOneNodeShareAMountpointPod() {
        scenario.boundVolume("pv");
        Pod first = scenario.workload("first", "n", "pv");
        Pod second = scenario.workload("second", "n", "pv");
        Pod third = scenario.workload("third", "n", "pv");
        scenario.soon("all are served", () -> scenario.isServed(first, second, third));
        assertThat(scenario.mountpointPods()).hasSize(1);
        assertThat(scenario.attachments()).hasSize(1);
    }

    @Test
    void workloadsOnOtherNodesOrWithAnotherGroupDoNot() {
        scenario.boundVolume("pv");
        Pod first = scenario.workload("first", "n", "pv");
        Pod elsewhere = scenario.workload("elsewhere", "m", "pv");
        Pod grouped = scenario.workload("grouped", Optional.of("n"), Optional.of(2000L), Scenario.volumesOf("pv"));
        scenario.soon("all are served", () -> scenario.isServed(first, elsewhere, grouped));
        assertThat(scenario.mountpointPods()).hasSize(3);
        assertThat(scenario.attachments()).hasSize(3);
    }

    @Test
    void withTheLastWorkloadTheMountpointPodIsToldToUnmountAndRemovedWhenItEnded() {
        scenario.boundVolume("pv");
        Pod first = scenario.workload("first", "n", "pv");
        Pod second = scenario.workload("second", "n", "pv");
        scenario.soon("both are served", () -> scenario.isServed(first, second));
        Pod made = scenario.onlyMountpointPod();
        scenario.becomes(made, "Running");
        scenario.becomes(first, "Succeeded");
        scenario.soon("only the second is left", () -> scenario.isServed(second));
        assertThat(scenario.onlyMountpointPod().getMetadata().getAnnotations())
                .doesNotContainKey(Annotations.NEEDS_UNMOUNT);
        scenario.becomes(second, "Failed");
        scenario.soon("no attachment is left", () -> scenario.attachments().isEmpty());
        assertThat(scenario.onlyMountpointPod().getMetadata().getAnnotations())
                .containsEntry(Annotations.NEEDS_UNMOUNT, "true");
        scenario.becomes(made, "Succeeded");
        scenario.soon("it is removed", () -> scenario.mountpointPods().isEmpty());
    }

    @Test
    void aWorkloadThatIsToldToStopKeepsItsMountpointPodUntilItHasStopped() {
        scenario.boundVolume("pv");
        Pod workload = scenario.workload("app", "n", "pv");
        scenario.soon("served", () -> scenario.isServed(workload));
        scenario.becomes(workload, "Running");
        scenario.delete(workload);
        settle();
        assertThat(scenario.served()).contains(workload.getMetadata().getUid());
        scenario.becomes(workload, "Succeeded");
        scenario.soon(
                "released",
                () -> !scenario.served().contains(workload.getMetadata().getUid()));
    }

    @Test
    void aWorkloadThatIsToldToStopBeforeItBeganGetsNone() {
        scenario.volume("pv", Driver.NAME, Map.of());
        scenario.claim("pv");
        Pod workload = scenario.workload("app", "n", "pv");
        scenario.delete(workload);
        scenario.bind("pv");
        settle();
        assertThat(servedVolumes()).containsExactly(scenario.volumeName("marker"));
    }

    @Test
    void aWorkloadThatRunsWithoutAnyIsLeftAlone() {
        scenario.volume("pv", Driver.NAME, Map.of());
        scenario.claim("pv");
        Pod workload = scenario.workload("app", "n", "pv");
        scenario.becomes(workload, "Running");
        scenario.bind("pv");
        settle();
        assertThat(servedVolumes()).containsExactly(scenario.volumeName("marker"));
    }

    @Test
    void aMountpointPodThatIsDeletedIsReplacedByOneOfAnotherName() {
        scenario.boundVolume("pv");
        Pod workload = scenario.workload("app", "n", "pv");
        scenario.soon("served", () -> scenario.isServed(workload));
        scenario.becomes(workload, "Running");
        Pod lost = scenario.onlyMountpointPod();
        scenario.remove(lost);
        scenario.soon(
                "another serves",
                () -> scenario.isServed(workload)
                        && !Scenario.names(scenario.mountpointPods())
                                .contains(lost.getMetadata().getName()));
        scenario.soon(
                "the workload's owner is told",
                () -> scenario.eventsAbout(workload).stream()
                        .map(Event::getReason)
                        .anyMatch("MountpointPodReplaced"::equals));
    }

    @Test
    void aMountpointPodThatFailedIsReplacedAndRemoved() {
        scenario.boundVolume("pv");
        Pod workload = scenario.workload("app", "n", "pv");
        scenario.soon("served", () -> scenario.isServed(workload));
        Pod evicted = scenario.onlyMountpointPod();
        scenario.becomes(evicted, "Failed");
        scenario.soon(
                "another serves, and nothing is left of the first",
                () -> scenario.isServed(workload)
                        && !Scenario.names(scenario.mountpointPods())
                                .contains(evicted.getMetadata().getName()));
        assertThat(scenario.mountpointPods()).hasSize(1);
    }

    @Test
    void theVolumeThatAPodBringsAlongIsServed() {
        scenario.volume("pv", Driver.NAME, Map.of());
        Pod workload = scenario.workload(
                "app",
                Optional.of("n"),
                Optional.empty(),
                List.of(new VolumeBuilder()
                        .withName("data")
                        .withNewEphemeral()
                        .withNewVolumeClaimTemplate()
                        .withNewSpec()
                        .withAccessModes("ReadWriteMany")
                        .withNewResources()
                        .addToRequests("storage", new Quantity("1Gi"))
                        .endResources()
                        .endSpec()
                        .endVolumeClaimTemplate()
                        .endEphemeral()
                        .build()));
        // A claim of that name that belongs to nobody is not the pod's.
        PersistentVolumeClaim claim = scenario.claim("app-data");
        plane.client().persistentVolumes().withName(scenario.volumeName("pv")).edit(volume -> {
            volume.getSpec().getClaimRef().setName("app-data");
            return volume;
        });
        scenario.bind("app-data", "pv");
        settle();
        assertThat(servedVolumes()).containsExactly(scenario.volumeName("marker"));
        plane.client()
                .persistentVolumeClaims()
                .inNamespace(claim.getMetadata().getNamespace())
                .withName("app-data")
                .edit(found -> new PersistentVolumeClaimBuilder(found)
                        .editMetadata()
                        .addNewOwnerReference()
                        .withApiVersion("v1")
                        .withKind("Pod")
                        .withName("app")
                        .withUid(workload.getMetadata().getUid())
                        .withController(true)
                        .endOwnerReference()
                        .endMetadata()
                        .build());
        scenario.soon(
                "served",
                () -> scenario.served().contains(workload.getMetadata().getUid()));
    }

    @Test
    void whatIsWrongWithAVolumeIsToldAndKeepsNoOtherWaiting() {
        scenario.boundVolume("wrong", Driver.NAME, Map.of("mountpointContainerResourcesLimitsMemory", "much"));
        scenario.boundVolume("right");
        Pod workload = scenario.workload("app", "n", "wrong", "right");
        scenario.soon("the right one is served", () -> scenario.isServed(workload));
        assertThat(servedVolumes()).containsExactly(scenario.volumeName("right"));
        scenario.soon(
                "the owner is told",
                () -> scenario.eventsAbout(workload).stream()
                        .anyMatch(event -> event.getMessage().contains("mountpointContainerResourcesLimitsMemory")));
        PersistentVolumeClaim claim = plane.client()
                .persistentVolumeClaims()
                .inNamespace(workload.getMetadata().getNamespace())
                .withName("wrong")
                .get();
        scenario.soon("at the claim, too", () -> !scenario.eventsAbout(claim).isEmpty());
    }

    /** As kubelet does in the end, and at once whoever forces it. */
    @Test
    void aWorkloadThatVanishesIsReleasedAtOnce() {
        scenario.boundVolume("pv");
        Pod workload = scenario.workload("app", "n", "pv");
        Pod other = scenario.workload("other", "n", "pv");
        scenario.soon("served", () -> scenario.isServed(workload, other));
        scenario.becomes(scenario.onlyMountpointPod(), "Running");
        scenario.becomes(workload, "Running");
        scenario.remove(workload);
        // Well before two minutes, after which it would be taken for left behind.
        scenario.soon("one is released", () -> scenario.isServed(other));
        scenario.remove(other);
        scenario.soon("all are released", () -> scenario.attachments().isEmpty());
        assertThat(scenario.onlyMountpointPod().getMetadata().getAnnotations())
                .containsEntry(Annotations.NEEDS_UNMOUNT, "true");
    }

    /** Which of them the Mountpoint Pod was made for makes no difference, not even if that one is gone. */
    @Test
    void theAttachmentOfSharersThatIsDeletedByHandIsMadeAgainForAllOfThem() {
        scenario.boundVolume("pv");
        Pod first = scenario.workload("first", "n", "pv");
        scenario.soon("served", () -> scenario.isServed(first));
        Pod second = scenario.workload("second", "n", "pv");
        Pod third = scenario.workload("third", "n", "pv");
        scenario.soon("all share", () -> scenario.isServed(first, second, third));
        Pod made = scenario.onlyMountpointPod();
        scenario.schedule(made, "n");
        scenario.becomes(made, "Running");
        List.of(first, second, third).forEach(workload -> scenario.becomes(workload, "Running"));
        deleteAttachment();
        scenario.soon("all come back", () -> scenario.isServed(first, second, third));
        scenario.becomes(first, "Succeeded");
        scenario.remove(first);
        scenario.soon("one has left", () -> scenario.isServed(second, third));
        deleteAttachment();
        scenario.soon("the others come back", () -> scenario.isServed(second, third));
        assertThat(Scenario.names(scenario.mountpointPods()))
                .containsExactly(made.getMetadata().getName());
        assertThat(scenario.onlyMountpointPod().getMetadata().getAnnotations())
                .doesNotContainKey(Annotations.NEEDS_UNMOUNT);
    }

    /** The only one; another takes its place. */
    private void deleteAttachment() {
        PodAttachment lost = scenario.attachments().getFirst();
        plane.client().resource(lost).delete();
        scenario.soon(
                "it is another one",
                () -> scenario.attachments().size() == 1
                        && !Scenario.names(scenario.attachments())
                                .contains(lost.getMetadata().getName()));
    }

    @Test
    void anAttachmentThatIsDeletedByHandIsMadeAgain() {
        scenario.boundVolume("pv");
        Pod workload = scenario.workload("app", "n", "pv");
        scenario.soon("served", () -> scenario.isServed(workload));
        Pod made = scenario.onlyMountpointPod();
        scenario.becomes(made, "Running");
        scenario.becomes(workload, "Running");
        PodAttachment lost = scenario.attachments().getFirst();
        plane.client().resource(lost).delete();
        scenario.soon(
                "served again",
                () -> scenario.isServed(workload)
                        && !Scenario.names(scenario.attachments())
                                .contains(lost.getMetadata().getName()));
        assertThat(Scenario.names(scenario.mountpointPods()))
                .containsExactly(made.getMetadata().getName());
    }

    @Test
    void aVolumeWhoseOptionsWereEditedHasAnotherMountpointPodForNewWorkloads() {
        scenario.boundVolume("pv");
        Pod before = scenario.workload("before", "n", "pv");
        scenario.soon("served", () -> scenario.isServed(before));
        scenario.becomes(before, "Running");
        scenario.mountOptions("pv", "allow-delete", "uid=1000");
        Pod after = scenario.workload("after", "n", "pv");
        scenario.soon("both are served", () -> scenario.isServed(before, after));
        assertThat(scenario.attachments())
                .extracting(attachment -> attachment.getSpec().mountOptions())
                .containsExactlyInAnyOrder("allow-delete", "allow-delete,uid=1000");
        scenario.becomes(before, "Succeeded");
        scenario.soon("the first is found by its old options", () -> scenario.isServed(after));
    }

    @ParameterizedTest
    @CsvSource({
        "annotation, s3.csi.scality.com/needs-unmount, true",
        "annotation, s3.csi.scality.com/no-new-workload, true",
        "label, s3.csi.scality.com/mounted-by-csi-driver-version, 2.2.0"
    })
    void aMountpointPodThatTakesNoNewWorkloadsGetsNone(String where, String key, String value) {
        scenario.boundVolume("pv");
        Pod first = scenario.workload("first", "n", "pv");
        scenario.soon("served", () -> scenario.isServed(first));
        Pod made = scenario.onlyMountpointPod();
        scenario.becomes(made, "Running");
        scenario.becomes(first, "Running");
        plane.client()
                .pods()
                .inNamespace(made.getMetadata().getNamespace())
                .withName(made.getMetadata().getName())
                .edit(pod -> where.equals("label")
                        ? new PodBuilder(pod)
                                .editMetadata()
                                .addToLabels(key, value)
                                .endMetadata()
                                .build()
                        : new PodBuilder(pod)
                                .editMetadata()
                                .addToAnnotations(key, value)
                                .endMetadata()
                                .build());
        Pod second = scenario.workload("second", "n", "pv");
        scenario.soon("both are served", () -> scenario.isServed(first, second));
        assertThat(scenario.mountpointPods()).hasSize(2);
    }

    @Test
    void aVolumeWithAVeryLongNameIsServed() {
        String longName = "v".repeat(200);
        scenario.boundVolume(longName);
        Pod workload = scenario.workload(
                "app",
                Optional.of("n"),
                Optional.empty(),
                List.of(new VolumeBuilder()
                        .withName("data")
                        .withNewPersistentVolumeClaim()
                        .withClaimName(longName)
                        .endPersistentVolumeClaim()
                        .build()));
        scenario.soon("served", () -> scenario.isServed(workload));
    }

    @Test
    void attachmentsThatTwoControllersMadeForTheSameBecomeOne() {
        scenario.boundVolume("pv");
        Pod first = scenario.workload("first", "n", "pv");
        scenario.soon("served", () -> scenario.isServed(first));
        PodAttachment one = scenario.attachments().getFirst();
        plane.client()
                .resource(PodAttachment.of(
                        one.getSpec().withoutWorkload(first.getMetadata().getUid()), "3.0.0"))
                .create();
        Pod second = scenario.workload("second", "n", "pv");
        scenario.soon(
                "one attachment serves both",
                () -> scenario.isServed(first, second) && scenario.attachments().size() == 1);
        assertThat(scenario.mountpointPods()).hasSize(1);
    }
}
