package s3csi.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import s3csi.kubernetes.PodAttachment;
import s3csi.kubernetes.PodAttachmentDefinition;
import s3csi.kubernetes.PodAttachmentSpec;
import s3csi.kubernetes.SharingKey;
import s3csi.kubernetes.WorkloadAttachment;
import s3csi.reconciler.loop.ApiServerWrites;

/** The attachment and its definition in a real API server. */
@Tag("api")
class PodAttachmentApiTest {
    private static final WorkloadAttachment WORKLOAD =
            new WorkloadAttachment("uid-1", Instant.parse("2026-01-02T03:04:05Z"));

    private static ControlPlane plane;

    @BeforeAll
    static void start() {
        plane = ControlPlane.start();
    }

    @AfterAll
    static void stop() {
        plane.close();
    }

    @AfterEach
    void removeAttachments() {
        plane.client().resources(PodAttachment.class).delete();
    }

    private static PodAttachment create(SharingKey key) {
        return plane.client()
                .resource(PodAttachment.of(new PodAttachmentSpec(key, Map.of("mp-1", List.of(WORKLOAD))), "3.0.0"))
                .create();
    }

    @Test
    void theApiServerKeepsEveryFieldOfTheDefinition() {
        CustomResourceDefinition kept = plane.client()
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(PodAttachmentDefinition.NAME)
                .get();
        assertThat(PodAttachmentDefinition.selectsByNode(kept)).isTrue();
        assertThat(kept.getSpec().getVersions())
                .isEqualTo(PodAttachmentDefinition.desired().getSpec().getVersions());
    }

    @Test
    void anAttachmentComesBackAsItWasWritten() {
        PodAttachment written = create(new SharingKey("node-1", "pv-1", "handle", "allow-delete,region x", "1000"));
        PodAttachment read = plane.client()
                .resources(PodAttachment.class)
                .withName(written.getMetadata().getName())
                .get();
        assertThat(read.getMetadata().getName()).startsWith("s3pa-");
        assertThat(read.getSpec())
                .isEqualTo(new PodAttachmentSpec(
                        new SharingKey("node-1", "pv-1", "handle", "allow-delete,region x", "1000"),
                        Map.of("mp-1", List.of(WORKLOAD))));
    }

    @ParameterizedTest
    @CsvSource({
        "spec.nodeName, node-1",
        "spec.persistentVolumeName, pv-1",
        "spec.volumeID, handle-1",
        "spec.mountOptions, allow-delete",
        "spec.workloadFSGroup, 1000"
    })
    void attachmentsAreSelectedByEachField(String field, String value) {
        PodAttachment chosen = create(new SharingKey("node-1", "pv-1", "handle-1", "allow-delete", "1000"));
        create(new SharingKey("node-2", "pv-2", "handle-2", "", ""));
        assertThat(plane.client()
                        .resources(PodAttachment.class)
                        .withField(field, value)
                        .list()
                        .getItems())
                .extracting(found -> found.getMetadata().getName())
                .containsExactly(chosen.getMetadata().getName());
    }

    @Test
    void aChangeThatIsBasedOnAnOlderStateIsRefused() {
        PodAttachment seen = create(new SharingKey("node-1", "pv-1", "handle", "", ""));
        PodAttachment changed = plane.client()
                .resources(PodAttachment.class)
                .withName(seen.getMetadata().getName())
                .get();
        changed.setSpec(changed.getSpec().withoutMountpointPod("mp-1"));
        plane.client().resource(changed).update();
        assertThatThrownBy(() -> plane.client().resource(seen).update())
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        refused -> assertThat(refused.getCode()).isEqualTo(409));
    }

    /** Another controller may have listed a workload there meanwhile, or a workload may have joined. */
    @Test
    void whatHasChangedSinceItWasSeenIsNotDeleted() {
        ApiServerWrites writes = new ApiServerWrites(plane.client(), () -> true);
        PodAttachment attachment = create(new SharingKey("node-1", "pv-1", "handle", "", ""));
        Pod pod = plane.client()
                .resource(SampleObjects.pod(ControlPlane.MOUNTPOINT_NAMESPACE, "mp-changed", "node-1", ""))
                .create();
        for (HasMetadata seen : List.of(attachment, pod)) {
            plane.client().resource(seen).edit(found -> {
                found.getMetadata().setAnnotations(Map.of("changed", "meanwhile"));
                return found;
            });
        }
        for (ThrowingCallable deletion :
                List.<ThrowingCallable>of(() -> writes.delete(attachment), () -> writes.delete(pod))) {
            assertThatThrownBy(deletion)
                    .isInstanceOfSatisfying(
                            KubernetesClientException.class,
                            refused -> assertThat(refused.getCode()).isEqualTo(409));
        }
        assertThat(plane.client().resource(attachment).get()).isNotNull();
        assertThat(plane.client().resource(pod).get()).isNotNull();
    }
}
