package s3csi.reconciler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import org.junit.jupiter.api.Test;
import s3csi.kubernetes.PodPhase;
import s3csi.reconciler.model.WorkloadPod;

class ReducedTest {
    private static PodBuilder pod(String namespace) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("app")
                .withUid("u")
                .withResourceVersion("7")
                .addToLabels("app", "x")
                .addToAnnotations("note", "y")
                .endMetadata()
                .withNewSpec()
                .withNodeName("n")
                .withNewSecurityContext()
                .withFsGroup(5L)
                .endSecurityContext()
                .addNewContainer()
                .withName("main")
                .endContainer()
                .addNewVolume()
                .withName("scratch")
                .withNewEmptyDir()
                .endEmptyDir()
                .endVolume()
                .endSpec()
                .withNewStatus()
                .withPhase("Running")
                .endStatus();
    }

    private static PodBuilder withClaim(PodBuilder pod) {
        return pod.editSpec()
                .addNewVolume()
                .withName("data")
                .withNewPersistentVolumeClaim()
                .withClaimName("claim")
                .endPersistentVolumeClaim()
                .endVolume()
                .endSpec();
    }

    @Test
    void ofAWorkloadAllThatDecisionsNeedIsKept() {
        Pod whole = withClaim(pod("team")).build();
        Pod kept = Reduced.pod(whole, "mount-s3");
        assertThat(WorkloadPod.of(kept)).isEqualTo(WorkloadPod.of(whole));
        assertThat(WorkloadPod.of(kept).phase()).isEqualTo(PodPhase.RUNNING);
        assertThat(Workloads.claimsOf(kept)).containsExactly("team/claim");
        assertThat(kept.getMetadata().getResourceVersion()).isEqualTo("7");
        assertThat(kept.getMetadata().getLabels()).isNullOrEmpty();
        assertThat(kept.getSpec().getContainers()).isEmpty();
    }

    @Test
    void aPodWithoutClaimsIsOnlyThere() {
        Pod kept = Reduced.pod(pod("team").build(), "mount-s3");
        assertThat(kept.getMetadata().getUid()).isEqualTo("u");
        assertThat(Workloads.claimsOf(kept)).isEmpty();
        assertThat(Workloads.nodeOf(kept)).isEmpty();
        assertThat(kept.getSpec())
                .as("shared by all such pods")
                .isSameAs(Reduced.pod(pod("other").build(), "mount-s3").getSpec());
    }

    @Test
    void ofAMountpointPodLabelsAndAnnotationsAreKept() {
        Pod kept = Reduced.pod(pod("mount-s3").build(), "mount-s3");
        assertThat(kept.getMetadata().getLabels()).containsEntry("app", "x");
        assertThat(kept.getMetadata().getAnnotations()).containsEntry("note", "y");
        assertThat(kept.getSpec().getNodeName()).isEqualTo("n");
        assertThat(kept.getStatus().getPhase()).isEqualTo("Running");
    }
}
