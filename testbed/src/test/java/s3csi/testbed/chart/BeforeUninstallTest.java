package s3csi.testbed.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.kubernetes.Annotations;
import s3csi.kubernetes.Labels;
import s3csi.kubernetes.MountpointPod;
import s3csi.kubernetes.PodAttachment;
import s3csi.kubernetes.PodAttachmentDefinition;
import s3csi.kubernetes.PodAttachmentSpec;
import s3csi.kubernetes.SharingKey;
import s3csi.kubernetes.WorkloadAttachment;
import s3csi.s3.testing.process.Await;
import s3csi.testbed.cluster.ControlPlane;
import s3csi.testbed.cluster.Scenario;

/** The hook before an uninstallation, against a real API server, with its own rights. What nodes would do, the tests do. */
@Tag("chart")
class BeforeUninstallTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int REFUSED = 4;

    private static ControlPlane plane;
    private static KubernetesClient client;
    private static HookProgram hook;

    @BeforeAll
    static void start() {
        plane = ControlPlane.start();
        client = plane.client();
        hook = HookProgram.of(plane, "s3-csi-before-uninstall", "cleanupCRDOnUninstall=true");
    }

    @AfterAll
    static void stop() {
        plane.close();
    }

    @AfterEach
    void clear() {
        client.pods()
                .inAnyNamespace()
                .list()
                .getItems()
                .forEach(pod -> client.resource(pod).withGracePeriod(0).delete());
        if (isDefined()) {
            client.resources(PodAttachment.class).delete();
        }
    }

    private static boolean isDefined() {
        return client.apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .withName(PodAttachmentDefinition.NAME)
                        .get()
                != null;
    }

    private static boolean areServed() {
        APIResourceList found = client.getApiResources("s3.csi.scality.com/v2");
        return found != null && !found.getResources().isEmpty();
    }

    /** Without the definition's end, which only one of the tests wants: the others share it. */
    private static HookProgram.Running begin(String... more) {
        return hook.without("--delete-definition").start(more);
    }

    /** A Mountpoint Pod that runs. */
    private static Pod mountpointPod(Scenario scenario, String name, String workloadUid) {
        Pod pod = client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                        .withName(name)
                        .addToLabels(Labels.POD_UID, workloadUid)
                        .addToAnnotations(Annotations.VOLUME_NAME, scenario.volumeName("pv"))
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName(scenario.node("n"))
                        .addNewContainer()
                        .withName("mountpoint")
                        .withImage("none")
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
        scenario.becomes(pod, "Running");
        return pod;
    }

    private static void attach(Scenario scenario, Pod mountpointPod, String... workloadUids) {
        List<WorkloadAttachment> workloads = Stream.of(workloadUids)
                .map(uid -> new WorkloadAttachment(uid, Instant.now()))
                .toList();
        client.resource(PodAttachment.of(
                        new PodAttachmentSpec(
                                new SharingKey(scenario.node("n"), scenario.volumeName("pv"), "handle", "", ""),
                                Map.of(mountpointPod.getMetadata().getName(), workloads)),
                        "3.0.0"))
                .create();
    }

    private static boolean isToldToUnmount(Pod mountpointPod) {
        Pod found = client.resource(mountpointPod).get();
        return found != null && MountpointPod.of(found).needsUnmount();
    }

    /** What the node and the engine do when they are told. */
    private static void unmountsWhenTold(Scenario scenario, Pod mountpointPod) {
        Await.until(SOON, () -> "the Mountpoint Pod is not told to unmount", () -> isToldToUnmount(mountpointPod));
        scenario.becomes(mountpointPod, "Succeeded");
    }

    @Test
    void itRefusesWhilePodsUseVolumesAndNamesThem() {
        Scenario scenario = new Scenario(client, "in-use");
        Pod app = scenario.workload("app", "n");
        Pod ended = scenario.workload("ended", "n");
        scenario.becomes(ended, "Succeeded");
        Pod serving = mountpointPod(scenario, "mp-serving", "gone");
        attach(
                scenario,
                serving,
                app.getMetadata().getUid(),
                ended.getMetadata().getUid(),
                "vanished");
        HookProgram.Ending ending = begin().ending();
        assertThat(ending.code()).as(ending.printed()).isEqualTo(REFUSED);
        assertThat(ending.printed())
                .contains("because a pod still uses a volume of it")
                .contains("pod in-use/app (" + app.getMetadata().getUid()
                        + ") on node in-use-n: volume in-use-pv, Mountpoint Pod mp-serving")
                .contains("hooks.forceUninstall=true")
                .doesNotContain("ended", "vanished");
        assertThat(isToldToUnmount(serving)).isFalse();
        assertThat(scenario.attachments()).hasSize(1);
    }

    @Test
    void ofManyItNamesAFew() {
        Scenario scenario = new Scenario(client, "many");
        String[] uids = Stream.iterate(0, number -> number + 1)
                .limit(30)
                .map(number ->
                        scenario.workload("app-" + number, "n").getMetadata().getUid())
                .toArray(String[]::new);
        attach(scenario, mountpointPod(scenario, "mp-many", "gone"), uids);
        HookProgram.Ending ending = begin().ending();
        assertThat(ending.code()).isEqualTo(REFUSED);
        assertThat(ending.printed()).contains("30 pods still use", "and 20 more");
        assertThat(ending.printed().length()).as("kubelet keeps 2048 of a log").isLessThan(2048);
    }

    @Test
    void aWorkloadWhoseAttachmentWasDeletedCountsToo() {
        Scenario scenario = new Scenario(client, "unlisted");
        Pod app = scenario.workload("app", "n");
        Pod serving = mountpointPod(scenario, "mp-unlisted", app.getMetadata().getUid());
        HookProgram.Ending ending = begin().ending();
        assertThat(ending.code()).isEqualTo(REFUSED);
        assertThat(ending.printed()).contains("pod unlisted/app");
        assertThat(isToldToUnmount(serving)).isFalse();
    }

    @Test
    void whatNobodyUsesIsUnmountedAndForgotten() {
        Scenario scenario = new Scenario(client, "stale");
        Pod ended = scenario.workload("ended", "n");
        scenario.becomes(ended, "Failed");
        Pod idle = mountpointPod(scenario, "mp-idle", "gone");
        Pod pending = mountpointPod(scenario, "mp-pending", "gone");
        scenario.becomes(pending, "Pending");
        Pod other = mountpointPod(scenario, "no-mountpoint-pod", "gone");
        attach(scenario, idle, ended.getMetadata().getUid(), "vanished");
        HookProgram.Running running = begin();
        unmountsWhenTold(scenario, idle);
        HookProgram.Ending ending = running.ending();
        assertThat(ending.code()).as(ending.printed()).isZero();
        assertThat(ending.printed()).contains("Mountpoint Pods unmounted: 1, attachments deleted: 1");
        assertThat(scenario.attachments()).isEmpty();
        assertThat(isToldToUnmount(pending)).isFalse();
        assertThat(isToldToUnmount(other)).isFalse();
    }

    @Test
    void aMountpointPodThatDoesNotUnmountIsNotLeftBehind() {
        Scenario scenario = new Scenario(client, "endless");
        Pod endless = mountpointPod(scenario, "mp-endless", "gone");
        attach(scenario, endless, "vanished");
        HookProgram.Ending ending = begin("--patience=1").ending();
        assertThat(ending.code()).as(ending.printed()).isEqualTo(REFUSED);
        assertThat(ending.printed())
                .contains("have not unmounted within 1 s")
                .contains("pod mount-s3/mp-endless on node endless-n: volume endless-pv");
        assertThat(isToldToUnmount(endless)).isTrue();
        assertThat(scenario.attachments()).hasSize(1);
        HookProgram.Ending forced = begin("--patience=1", "--force").ending();
        assertThat(forced.code()).as(forced.printed()).isZero();
        assertThat(forced.printed()).contains("not waited for any longer", "mp-endless");
        assertThat(scenario.attachments()).isEmpty();
    }

    /** What it does not break stays: the attachment lets the next release repair the mount. */
    @Test
    void byForceItGoesOnAndStillUnmountsWhatNobodyUses() {
        Scenario scenario = new Scenario(client, "forced");
        Pod app = scenario.workload("app", "n");
        Pod serving = mountpointPod(scenario, "mp-forced", "gone");
        Pod idle = mountpointPod(scenario, "mp-beside", "gone");
        attach(scenario, serving, app.getMetadata().getUid());
        attach(scenario, idle, "vanished");
        HookProgram.Running running = begin("--force");
        unmountsWhenTold(scenario, idle);
        HookProgram.Ending ending = running.ending();
        assertThat(ending.code()).as(ending.printed()).isZero();
        assertThat(ending.printed()).contains("forced: the mounts of these break", "pod forced/app");
        assertThat(isToldToUnmount(serving)).isFalse();
        assertThat(scenario.attachments()).hasSize(1);
    }

    @Test
    void aPodThatBeginsMeanwhileIsNotBroken() {
        Scenario scenario = new Scenario(client, "late");
        Pod idle = mountpointPod(scenario, "mp-late-idle", "gone");
        attach(scenario, idle, "vanished");
        HookProgram.Running running = begin();
        Await.until(SOON, () -> "the Mountpoint Pod is not told to unmount", () -> isToldToUnmount(idle));
        Pod app = scenario.workload("app", "n");
        attach(
                scenario,
                mountpointPod(scenario, "mp-late", "gone"),
                app.getMetadata().getUid());
        scenario.becomes(idle, "Succeeded");
        HookProgram.Ending ending = running.ending();
        assertThat(ending.code()).as(ending.printed()).isEqualTo(REFUSED);
        assertThat(ending.printed()).contains("pod late/app");
        assertThat(scenario.attachments()).hasSize(2);
    }

    /** With everything that it may do, and nothing of that is left out. */
    @Test
    void theDefinitionGoesWithTheReleaseWhereThatIsWanted() {
        Scenario scenario = new Scenario(client, "cleanup");
        Pod idle = mountpointPod(scenario, "mp-cleanup", "gone");
        attach(scenario, idle, "vanished");
        HookProgram.Running running = hook.start();
        unmountsWhenTold(scenario, idle);
        HookProgram.Ending ending = running.ending();
        assertThat(ending.code()).as(ending.printed()).isZero();
        assertThat(isDefined()).isFalse();
        assertThat(hook.rights().usedBy("scality-csi-controller"))
                .isEqualTo(hook.rights().granted());
        HookProgram.Ending again = hook.run();
        assertThat(again.code()).as(again.printed()).isZero();
        client.resource(PodAttachmentDefinition.desired()).create();
        Await.until(SOON, () -> "no attachments are served", BeforeUninstallTest::areServed);
    }
}
