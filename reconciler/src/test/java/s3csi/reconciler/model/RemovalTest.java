package s3csi.reconciler.model;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.reconciler.model.Samples.NOW;
import static s3csi.reconciler.model.Samples.VOLUME;
import static s3csi.reconciler.model.Samples.pod;
import static s3csi.reconciler.model.Samples.workload;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import s3csi.kubernetes.PodAttachmentSpec;
import s3csi.kubernetes.SharingKey;
import s3csi.kubernetes.WorkloadAttachment;

class RemovalTest {
    private static final SharingKey KEY = VOLUME.keyFor(workload("a"));
    private static final List<WorkloadAttachment> A = List.of(new WorkloadAttachment("a", NOW));

    private static KnownAttachment attachment(String name, Map<String, List<WorkloadAttachment>> workloads) {
        return new KnownAttachment(name, "uid of " + name, "1", NOW, new PodAttachmentSpec(KEY, workloads));
    }

    private static Removal removal(KnownAttachment... attachments) {
        return new Removal(new ClusterView(List.of(attachments), Map.of("mp-1", pod("mp-1", "a"))));
    }

    @Test
    void whatIsInOrderIsLeftAlone() {
        KnownAttachment served = attachment("s3pa-1", Map.of("mp-1", A));
        assertThat(removal(served).of(Set.of(), served)).isEmpty();
        assertThat(removal(served).of(Set.of("b"), served)).isEmpty();
    }

    @Test
    void withTheLastWorkloadAMountpointPodIsToldToUnmountAndThenForgotten() {
        KnownAttachment served = attachment("s3pa-1", Map.of("mp-1", A));
        assertThat(removal(served).of(Set.of("a"), served))
                .containsExactly(new Step.RequestUnmount("mp-1"), new Step.DeleteAttachment(served));
    }

    @Test
    void anAttachmentWithoutWorkloadsIsRemoved() {
        KnownAttachment empty = attachment("s3pa-1", Map.of());
        assertThat(removal(empty).of(Set.of(), empty)).containsExactly(new Step.DeleteAttachment(empty));
        KnownAttachment named = attachment("s3pa-1", Map.of("mp-1", List.of()));
        assertThat(removal(named).of(Set.of(), named))
                .containsExactly(new Step.RequestUnmount("mp-1"), new Step.DeleteAttachment(named));
    }

    @Test
    void aMountpointPodThatAnotherAttachmentNeedsGoesOn() {
        KnownAttachment served = attachment("s3pa-1", Map.of("mp-1", A));
        KnownAttachment named = attachment("s3pa-2", Map.of("mp-1", List.of()));
        assertThat(removal(served, named).of(Set.of(), named)).containsExactly(new Step.DeleteAttachment(named));
    }
}
