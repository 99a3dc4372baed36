package s3csi.reconciler.model;

import java.util.List;
import java.util.Optional;
import s3csi.kubernetes.MountpointPod;
import s3csi.kubernetes.PodPhase;

/**
 * Who a Mountpoint Pod serves that no attachment names, because some hand deleted it. Nothing says so any more; but who runs on its node with
 * its volume, and is listed nowhere, may have the volume from there.
 *
 * @param workloads all on a node that use the volume
 */
public record LostAttachments(ClusterView view, S3Volume volume, List<WorkloadPod> workloads) {
    public LostAttachments {
        workloads = List.copyOf(workloads);
    }

    /** Those that have to be attached to the Mountpoint Pod again. */
    public List<WorkloadPod> of(MountpointPod pod) {
        if (pod.phase() != PodPhase.RUNNING || pod.needsUnmount() || isNamed(pod) || isBeingAttached(pod)) {
            return List.of();
        }
        return workloads.stream()
                .filter(workload -> workload.node().equals(pod.node())
                        && pod.persistentVolume().equals(volume.name())
                        && hasBegun(workload)
                        && !isListed(workload)
                        && mayShare(workload, pod))
                .toList();
    }

    private boolean isNamed(MountpointPod pod) {
        return view.attachments().stream()
                .anyMatch(attachment ->
                        attachment.spec().mountpointS3PodAttachments().containsKey(pod.name()));
    }

    /** A Mountpoint Pod is there before its attachment. */
    private boolean isBeingAttached(MountpointPod pod) {
        return first(pod).filter(workload -> !hasBegun(workload)).isPresent();
    }

    /** The workload that it was made for. */
    private Optional<WorkloadPod> first(MountpointPod pod) {
        return workloads.stream()
                .filter(workload -> workload.uid().equals(pod.workloadUid()))
                .findFirst();
    }

    private static boolean hasBegun(WorkloadPod workload) {
        return workload.isActive() && workload.phase() != PodPhase.PENDING;
    }

    private boolean isListed(WorkloadPod workload) {
        return view.attachments().stream()
                .anyMatch(attachment ->
                        attachment.spec().mountpointPodOf(workload.uid()).isPresent());
    }

    /** One that another was made for has its own; and those with another group never share. */
    private boolean mayShare(WorkloadPod workload, MountpointPod pod) {
        return pod.workloadUid().equals(workload.uid())
                || (first(pod)
                                .filter(first -> !volume.keyFor(first).equals(volume.keyFor(workload)))
                                .isEmpty()
                        && view.pods().values().stream()
                                .noneMatch(other -> other.workloadUid().equals(workload.uid())
                                        && !other.phase().hasEnded()));
    }
}
