package s3csi.reconciler.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import s3csi.kubernetes.PodAttachmentSpec;

/** How workloads leave attachments. A Mountpoint Pod without any is told to unmount, and only then forgotten. */
public record Removal(ClusterView view) {
    /** Takes workloads out of an attachment, and with none it only tidies up. */
    public List<Step> of(Set<String> workloadUids, KnownAttachment seen) {
        PodAttachmentSpec wanted = seen.spec();
        for (String uid : workloadUids) {
            wanted = wanted.withoutWorkload(uid);
        }
        return write(seen, wanted);
    }

    /** Changes an attachment, and forgets the Mountpoint Pods that have no workload left. */
    List<Step> write(KnownAttachment seen, PodAttachmentSpec wanted) {
        List<Step> steps = new ArrayList<>();
        PodAttachmentSpec kept = wanted;
        for (String pod : wanted.mountpointS3PodAttachments().keySet()) {
            if (wanted.mountpointS3PodAttachments().getOrDefault(pod, List.of()).isEmpty()) {
                retirement(seen, pod).ifPresent(steps::add);
                kept = kept.withoutMountpointPod(pod);
            }
        }
        if (kept.mountpointS3PodAttachments().isEmpty()) {
            steps.add(new Step.DeleteAttachment(seen));
        } else if (!kept.equals(seen.spec())) {
            steps.add(new Step.UpdateAttachment(seen, kept));
        }
        return steps;
    }

    /** Not while it serves workloads that another attachment lists, as two controllers at once may have made one each. */
    private Optional<Step> retirement(KnownAttachment seen, String pod) {
        boolean isNeeded = view.attachments().stream()
                .filter(other -> !other.name().equals(seen.name()))
                .anyMatch(other -> !other.spec()
                        .mountpointS3PodAttachments()
                        .getOrDefault(pod, List.of())
                        .isEmpty());
        if (isNeeded) {
            return Optional.empty();
        }
        return view.pod(pod).flatMap(known -> {
            if (known.phase().hasEnded()) {
                return Optional.of(new Step.DeletePod(pod));
            }
            return known.needsUnmount() ? Optional.empty() : Optional.of(new Step.RequestUnmount(pod));
        });
    }
}
