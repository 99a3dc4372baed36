package s3csi.reconciler.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import s3csi.kubernetes.PodPhase;
import s3csi.kubernetes.SharingKey;

class WorkloadPodTest {
    @ParameterizedTest
    @CsvSource({
        "PENDING, false, true",
        "PENDING, true, false",
        "RUNNING, false, true",
        "RUNNING, true, true",
        "UNKNOWN, true, true",
        "SUCCEEDED, false, false",
        "FAILED, false, false"
    })
    void aWorkloadIsActiveUntilItReallyEnded(PodPhase phase, boolean isTerminating, boolean isActive) {
        WorkloadPod workload = Samples.in(phase, Samples.workload("u"));
        assertThat((isTerminating ? Samples.terminating(workload) : workload).isActive())
                .isEqualTo(isActive);
    }

    @Test
    void thePodAndTheVolumeMakeTheKey() {
        WorkloadPod workload = WorkloadPod.of(new PodBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("app")
                .withUid("u")
                .endMetadata()
                .withNewSpec()
                .withNodeName("node-1")
                .withNewSecurityContext()
                .withFsGroup(2000L)
                .endSecurityContext()
                .endSpec()
                .withNewStatus()
                .withPhase("Pending")
                .endStatus()
                .build());
        assertThat(workload)
                .isEqualTo(
                        new WorkloadPod("default", "app", "u", "node-1", PodPhase.PENDING, false, Optional.of(2000L)));
        Optional<S3Volume> volume = S3Volume.of(new PersistentVolumeBuilder()
                .withNewMetadata()
                .withName("pv")
                .endMetadata()
                .withNewSpec()
                .withMountOptions("allow-delete", "uid=1")
                .withNewCsi()
                .withDriver("s3.csi.scality.com")
                .withVolumeHandle("handle")
                .addToVolumeAttributes("bucketName", "b")
                .withNewNodePublishSecretRef()
                .withName("keys")
                .endNodePublishSecretRef()
                .endCsi()
                .endSpec()
                .build());
        assertThat(volume)
                .contains(new S3Volume(
                        "pv", "", "handle", List.of("allow-delete", "uid=1"), Map.of("bucketName", "b"), true));
        assertThat(volume.orElseThrow().keyFor(workload))
                .isEqualTo(new SharingKey("node-1", "pv", "handle", "allow-delete,uid=1", "2000"));
    }

    @Test
    void volumesOfOtherDriversAreNotOurs() {
        assertThat(S3Volume.of(new PersistentVolumeBuilder()
                        .withNewMetadata()
                        .endMetadata()
                        .withNewSpec()
                        .withNewCsi()
                        .withDriver("ebs.csi.aws.com")
                        .endCsi()
                        .endSpec()
                        .build()))
                .isEmpty();
        assertThat(S3Volume.of(new PersistentVolumeBuilder()
                        .withNewMetadata()
                        .endMetadata()
                        .withNewSpec()
                        .withNewHostPath()
                        .endHostPath()
                        .endSpec()
                        .build()))
                .isEmpty();
    }
}
