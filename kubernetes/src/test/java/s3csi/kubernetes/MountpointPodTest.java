package s3csi.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import s3csi.kubernetes.MountpointPod.PublishSecret;

class MountpointPodTest {
    @Test
    void oneOfAnEarlierReleaseIsRead() {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withName("mp-1")
                .withUid("u1")
                .withCreationTimestamp("2026-01-02T03:04:05Z")
                .addToLabels("s3.csi.scality.com/mountpoint-version", "1.18.0")
                .addToLabels("s3.csi.scality.com/pod-uid", "w1")
                .addToLabels("s3.csi.scality.com/volume-name", "pv-1")
                .addToLabels("s3.csi.scality.com/mounted-by-csi-driver-version", "2.1.1")
                .endMetadata()
                .withNewSpec()
                .withNodeName("node-1")
                .endSpec()
                .withNewStatus()
                .withPhase("Running")
                .endStatus()
                .build();
        assertThat(MountpointPod.of(pod))
                .isEqualTo(new MountpointPod(
                        "mp-1",
                        "u1",
                        "node-1",
                        PodPhase.RUNNING,
                        false,
                        Instant.parse("2026-01-02T03:04:05Z"),
                        "2.1.1",
                        "w1",
                        "pv-1",
                        false,
                        false,
                        PublishSecret.UNTOLD,
                        ""));
    }

    @Test
    void aNameThatIsTooLongForALabelIsInAnAnnotation() {
        String longName = "pv-" + "x".repeat(200);
        MountpointPod pod = annotated(Annotations.VOLUME_NAME, longName);
        assertThat(pod.persistentVolume()).isEqualTo(longName);
    }

    @Test
    void annotationsSayWhatIsWantedOfIt() {
        assertThat(annotated(Annotations.NEEDS_UNMOUNT, "true").needsUnmount()).isTrue();
        assertThat(annotated(Annotations.NEEDS_UNMOUNT, "false").needsUnmount()).isFalse();
        assertThat(annotated(Annotations.NO_NEW_WORKLOAD, "true").refusesWorkloads())
                .isTrue();
        assertThat(annotated(Annotations.NAMES_PUBLISH_SECRET, "true").publishSecret())
                .isEqualTo(PublishSecret.NAMED);
        assertThat(annotated(Annotations.NAMES_PUBLISH_SECRET, "false").publishSecret())
                .isEqualTo(PublishSecret.NOT_NAMED);
        assertThat(annotated(Annotations.NAMES_PUBLISH_SECRET, "maybe").publishSecret())
                .isEqualTo(PublishSecret.UNTOLD);
    }

    private static MountpointPod annotated(String key, String value) {
        return MountpointPod.of(new PodBuilder()
                .withNewMetadata()
                .withName("mp-1")
                .addToAnnotations(key, value)
                .endMetadata()
                .build());
    }

    @ParameterizedTest
    @CsvSource({
        "Pending, PENDING, false",
        "Running, RUNNING, false",
        "Succeeded, SUCCEEDED, true",
        "Failed, FAILED, true",
        "Unknown, UNKNOWN, false",
        ", UNKNOWN, false"
    })
    void phasesAreThoseOfPods(String text, PodPhase phase, boolean hasEnded) {
        assertThat(PodPhase.of(text)).isEqualTo(phase);
        assertThat(phase.hasEnded()).isEqualTo(hasEnded);
    }

    @Test
    void oneThatWasOnlyJustMadeHasNothingToSay() {
        MountpointPod pod = MountpointPod.of(new PodBuilder()
                .withNewMetadata()
                .withName("mp-1")
                .endMetadata()
                .build());
        assertThat(pod.phase()).isEqualTo(PodPhase.UNKNOWN);
        assertThat(pod.node()).isEmpty();
        assertThat(pod.workloadUid()).isEmpty();
        assertThat(pod.isTerminating()).isFalse();
    }
}
