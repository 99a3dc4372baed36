package s3csi.reconciler.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import s3csi.kubernetes.MountpointPod;

/**
 * What is known of a cluster. It must hold everything that the reconciler wrote about the volume in question: the loop decides nothing until
 * it has seen its own writes.
 *
 * @param attachments of the volume in question; others do no harm
 * @param pods the Mountpoint Pods, by name
 */
public record ClusterView(List<KnownAttachment> attachments, Map<String, MountpointPod> pods) {
    public ClusterView {
        attachments = List.copyOf(attachments);
        pods = Map.copyOf(pods);
    }

    Optional<MountpointPod> pod(String name) {
        return Optional.ofNullable(pods.get(name));
    }
}
