package s3csi.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PodAttachmentSpecTest {
    private static final SharingKey KEY = SharingKey.of("n", "pv", "id", List.of(), Optional.of(0L));
    private static final PodAttachmentSpec SPEC =
            new PodAttachmentSpec(KEY, Map.of("mp-1", List.of(workload("a"), workload("b")), "mp-2", List.of()));

    private static WorkloadAttachment workload(String uid) {
        return new WorkloadAttachment(uid, Instant.EPOCH);
    }

    @Test
    void theOrderOfOptionsAndTheGroupZeroCount() {
        assertThat(KEY.fsGroup()).isEqualTo("0");
        assertThat(SharingKey.of("n", "pv", "id", List.of("a", "b"), Optional.empty()))
                .isNotEqualTo(SharingKey.of("n", "pv", "id", List.of("b", "a"), Optional.empty()));
        assertThat(SPEC.key()).isEqualTo(KEY);
    }

    @Test
    void aWorkloadFindsItsMountpointPod() {
        assertThat(SPEC.mountpointPodOf("b")).contains("mp-1");
        assertThat(SPEC.mountpointPodOf("c")).isEmpty();
    }

    @Test
    void aWorkloadJoinsAKnownOrANewMountpointPod() {
        assertThat(SPEC.with("mp-2", workload("c")).mountpointPodOf("c")).contains("mp-2");
        assertThat(SPEC.with("mp-0", workload("c")).mountpointS3PodAttachments())
                .containsOnlyKeys("mp-0", "mp-1", "mp-2")
                .containsEntry("mp-0", List.of(workload("c")))
                .containsEntry("mp-1", List.of(workload("a"), workload("b")));
    }

    @Test
    void aWorkloadJoinsAMountpointPodOnce() {
        WorkloadAttachment later = new WorkloadAttachment("a", Instant.ofEpochSecond(1));
        assertThat(SPEC.with("mp-1", later)).isEqualTo(SPEC);
    }

    @Test
    void aMountpointPodOutlivesItsLastWorkload() {
        PodAttachmentSpec left = SPEC.withoutWorkload("a").withoutWorkload("b");
        assertThat(left.mountpointS3PodAttachments())
                .containsEntry("mp-1", List.of())
                .containsEntry("mp-2", List.of());
        assertThat(left.withoutMountpointPod("mp-1").mountpointS3PodAttachments())
                .containsOnlyKeys("mp-2");
        assertThat(SPEC.mountpointPodOf("a")).contains("mp-1");
    }
}
