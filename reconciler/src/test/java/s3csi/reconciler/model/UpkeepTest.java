package s3csi.reconciler.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import s3csi.kubernetes.MountpointPod;
import s3csi.kubernetes.PodAttachmentSpec;
import s3csi.kubernetes.PodPhase;
import s3csi.kubernetes.WorkloadAttachment;

class UpkeepTest {
    private static final S3Volume WITH_SECRET = new S3Volume("pv-1", "uid", "handle-1", List.of(), Map.of(), true);

    private static List<Step> upkeep(S3Volume volume, MountpointPod pod) {
        KnownAttachment attachment = new KnownAttachment(
                "s3pa-1",
                "uid",
                "1",
                Samples.NOW,
                new PodAttachmentSpec(
                        volume.keyFor(Samples.workload("u1")),
                        Map.of("mp-1", List.of(new WorkloadAttachment("u1", Samples.NOW)))));
        return Upkeep.of(volume, Stream.of(attachment), new ClusterView(List.of(attachment), Map.of(pod.name(), pod)));
    }

    @Test
    void whetherTheVolumeNamesASecretIsWrittenWhereItIsNotTold() {
        assertThat(upkeep(WITH_SECRET, Samples.pod("mp-1", "u1")))
                .containsExactly(new Step.NotePublishSecret("mp-1", true));
    }

    @Test
    void whatIsTrueStays() {
        assertThat(upkeep(Samples.VOLUME, Samples.pod("mp-1", "u1"))).isEmpty();
    }

    @Test
    void podsThatEndedOrAreNotNamedAreLeftAlone() {
        assertThat(upkeep(
                        WITH_SECRET, Samples.pod("mp-1", "u1", PodPhase.FAILED, false, Samples.RELEASE, false, false)))
                .isEmpty();
        assertThat(upkeep(WITH_SECRET, Samples.pod("mp-2", "u1"))).isEmpty();
    }
}
