package s3csi.reconciler.model;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Objects;
import java.util.Optional;
import s3csi.kubernetes.PodPhase;

/**
 * A pod that uses volumes of ours.
 *
 * @param node where it runs; empty until it is scheduled
 * @param isTerminating whether it was told to end
 */
public record WorkloadPod(
        String namespace,
        String name,
        String uid,
        String node,
        PodPhase phase,
        boolean isTerminating,
        Optional<Long> fsGroup) {
    public static WorkloadPod of(Pod pod) {
        return new WorkloadPod(
                pod.getMetadata().getNamespace(),
                pod.getMetadata().getName(),
                pod.getMetadata().getUid(),
                Objects.requireNonNullElse(pod.getSpec().getNodeName(), ""),
                PodPhase.of(pod.getStatus() == null ? null : pod.getStatus().getPhase()),
                pod.getMetadata().getDeletionTimestamp() != null,
                Optional.ofNullable(pod.getSpec().getSecurityContext()).map(context -> context.getFsGroup()));
    }

    /**
     * Whether it uses its volumes, or is going to. One that runs does so until it has really ended, however long it takes to stop; one
     * that was told to end before it began never will.
     */
    public boolean isActive() {
        return switch (phase) {
            case RUNNING, UNKNOWN -> true;
            case PENDING -> !isTerminating;
            case SUCCEEDED, FAILED -> false;
        };
    }
}
