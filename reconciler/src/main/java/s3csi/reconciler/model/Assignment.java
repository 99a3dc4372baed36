package s3csi.reconciler.model;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import s3csi.kubernetes.MountpointPod;
import s3csi.kubernetes.PodAttachmentSpec;
import s3csi.kubernetes.PodPhase;
import s3csi.kubernetes.SharingKey;
import s3csi.kubernetes.WorkloadAttachment;
import s3csi.volume.mount.Names;
import s3csi.volume.mount.Workload;

/**
 * Which Mountpoint Pod serves a workload and one of its volumes.
 *
 * <p>What always holds, also when it stops after any step: a Mountpoint Pod is there before an attachment names it; it is told to unmount
 * before an attachment forgets it; and a workload that is served stays listed.
 */
public final class Assignment {
    private final String driverVersion;
    private final WorkloadPod workload;
    private final S3Volume volume;
    private final ClusterView view;
    private final Instant now;
    private final Removal removal;
    private final LostAttachments lost;

    private Assignment(String driverVersion, WorkloadPod workload, LostAttachments lost, Instant now) {
        this.driverVersion = driverVersion;
        this.workload = workload;
        this.volume = lost.volume();
        this.view = lost.view();
        this.now = now;
        this.removal = new Removal(view);
        this.lost = lost;
    }

    /**
     * Decides for a workload that has a node.
     *
     * @param driverVersion of this release
     * @param neighbours all on its node that use the volume
     */
    public static List<Step> decide(
            String driverVersion,
            WorkloadPod workload,
            List<WorkloadPod> neighbours,
            S3Volume volume,
            ClusterView view,
            Instant now) {
        Assignment assignment =
                new Assignment(driverVersion, workload, new LostAttachments(view, volume, neighbours), now);
        return workload.isActive() ? assignment.serve() : assignment.release(assignment.listings());
    }

    /** All on its node that list the workload. The options of a volume may have changed since, and the key with them. */
    private List<KnownAttachment> listings() {
        return view.attachments().stream()
                .filter(attachment -> attachment.spec().persistentVolumeName().equals(volume.name())
                        && attachment.spec().nodeName().equals(workload.node()))
                .filter(attachment ->
                        attachment.spec().mountpointPodOf(workload.uid()).isPresent())
                .toList();
    }

    /** Whether the node finds it for the workload. One that has its volume mounted already may have done so under another id. */
    private boolean isFound(KnownAttachment attachment) {
        SharingKey key = volume.keyFor(workload);
        return hasBegun()
                || (attachment.spec().volumeID().equals(key.volumeId())
                        && attachment.spec().workloadFSGroup().equals(key.fsGroup()));
    }

    private List<Step> release(List<KnownAttachment> listings) {
        return listings.stream()
                .flatMap(seen -> removal.of(Set.of(workload.uid()), seen).stream())
                .toList();
    }

    private List<Step> serve() {
        Map<Boolean, List<KnownAttachment>> all = listings().stream().collect(Collectors.partitioningBy(this::isFound));
        List<KnownAttachment> listings = all.getOrDefault(true, List.of());
        List<KnownAttachment> shared = ofKey(volume.keyFor(workload));
        if (listings.stream().anyMatch(this::serves)) {
            // Not before it is served: what some hand changed may name the Mountpoint Pod that does.
            List<Step> strays = release(all.getOrDefault(false, List.of()));
            return strays.isEmpty() ? settle(shared) : strays;
        }
        if (listings.isEmpty() && hasBegun()) {
            return attachAgain(shared);
        }
        return assign(listings, shared);
    }

    /** The workload is served. What two controllers at once may have done for it is made one. */
    private List<Step> settle(List<KnownAttachment> shared) {
        if (shared.isEmpty()) {
            return List.of();
        }
        return shared.size() > 1
                ? unite(shared, union(shared))
                : removal.write(shared.getFirst(), listedOnce(shared.getFirst().spec()));
    }

    /** At the Mountpoint Pod that serves it. One that does not run yet cannot have mounted anything; of one that runs this is not known. */
    private PodAttachmentSpec listedOnce(PodAttachmentSpec spec) {
        List<String> pods = spec.mountpointPodsOf(workload.uid());
        Optional<String> serving = pods.stream()
                .filter(name -> view.pod(name).filter(this::serves).isPresent())
                .min(Comparator.comparing(this::hasNotBegun).thenComparing(Comparator.naturalOrder()));
        PodAttachmentSpec once = spec;
        for (String pod : pods) {
            if (serving.isPresent() && !serving.get().equals(pod) && hasNotBegun(pod)) {
                once = once.without(pod, workload.uid());
            }
        }
        return once;
    }

    private boolean hasNotBegun(String pod) {
        return view.pod(pod).filter(known -> known.phase() == PodPhase.PENDING).isPresent();
    }

    /** There should be one; two controllers at once may have made more. The oldest counts. */
    private List<KnownAttachment> ofKey(SharingKey key) {
        return view.attachments().stream()
                .filter(attachment -> attachment.spec().key().equals(key))
                .sorted(Comparator.comparing(KnownAttachment::created).thenComparing(KnownAttachment::name))
                .toList();
    }

    /** Kubelet mounts all volumes before a pod runs. */
    private boolean hasBegun() {
        return workload.phase() != PodPhase.PENDING;
    }

    private boolean serves(KnownAttachment attachment) {
        return attachment.spec().mountpointS3PodAttachments().entrySet().stream()
                .filter(entry -> entry.getValue().stream()
                        .anyMatch(listed -> listed.workloadPodUID().equals(workload.uid())))
                .anyMatch(entry -> view.pod(entry.getKey()).filter(this::serves).isPresent());
    }

    /** One that is about to end serves those that have it mounted to the last, and is of no use to those that have not. */
    private boolean serves(MountpointPod pod) {
        return !pod.phase().hasEnded()
                && (hasBegun() || !(pod.isTerminating() || pod.needsUnmount() || isOfAnotherVolume(pod)));
    }

    /**
     * A workload that runs, and no attachment lists it. If a Mountpoint Pod was made for it, or is named by none, its attachment was lost, and
     * with it those of all that share it. Otherwise its volume was mounted by a release before 2.0, and stays so.
     */
    private List<Step> attachAgain(List<KnownAttachment> shared) {
        return view.pods().values().stream()
                .filter(pod -> pod.persistentVolume().equals(volume.name()) && serves(pod))
                .filter(pod -> isMadeForIt(pod) || lost.of(pod).contains(workload))
                .min(Comparator.comparing((MountpointPod pod) -> !isMadeForIt(pod))
                        .thenComparing(MountpointPod::name))
                .map(pod -> attach(shared, withSharers(union(shared), pod), pod.name()))
                .orElse(List.of());
    }

    private boolean isMadeForIt(MountpointPod pod) {
        return pod.workloadUid().equals(workload.uid());
    }

    private PodAttachmentSpec withSharers(PodAttachmentSpec spec, MountpointPod pod) {
        PodAttachmentSpec all = spec;
        for (WorkloadPod sharer : lost.of(pod)) {
            if (!sharer.equals(workload) && volume.keyFor(sharer).equals(volume.keyFor(workload))) {
                all = all.with(pod.name(), new WorkloadAttachment(sharer.uid(), now));
            }
        }
        return all;
    }

    private List<Step> assign(List<KnownAttachment> listings, List<KnownAttachment> shared) {
        PodAttachmentSpec before = union(shared);
        List<Step> steps = new ArrayList<>();
        String pod = before.mountpointS3PodAttachments().keySet().stream()
                .filter(this::isSuitable)
                .findFirst()
                .orElseGet(() -> {
                    String own = ownPod();
                    if (!isSuitable(own)) {
                        steps.add(new Step.CreatePod(own));
                    }
                    return own;
                });
        steps.addAll(attach(shared, before.withoutWorkload(workload.uid()), pod));
        steps.addAll(release(
                listings.stream().filter(listing -> !shared.contains(listing)).toList()));
        return List.copyOf(steps);
    }

    /** The first name that is free, or names a pod that was made for this and never attached. */
    private String ownPod() {
        return IntStream.iterate(0, attempt -> attempt + 1)
                .mapToObj(attempt -> Names.mountpointPod(new Workload(workload.uid(), volume.name()), attempt))
                .filter(name -> isSuitable(name) || isFree(name))
                .findFirst()
                .orElseThrow();
    }

    /** What an attachment names may still be mounted on the node, though its pod is gone. */
    private boolean isFree(String name) {
        return view.pod(name).isEmpty()
                && view.attachments().stream()
                        .noneMatch(attachment ->
                                attachment.spec().mountpointS3PodAttachments().containsKey(name));
    }

    /** A volume that was deleted and made anew under its name may have another bucket. */
    private boolean isOfAnotherVolume(MountpointPod pod) {
        return !pod.volumeUid().isEmpty() && !pod.volumeUid().equals(volume.uid());
    }

    /** Whether a new workload may join it. */
    private boolean isSuitable(String name) {
        return view.pod(name)
                .filter(pod -> !pod.phase().hasEnded()
                        && !pod.isTerminating()
                        && !pod.needsUnmount()
                        && !pod.refusesWorkloads()
                        && !isOfAnotherVolume(pod)
                        && pod.driverVersion().equals(driverVersion))
                .isPresent();
    }

    private List<Step> attach(List<KnownAttachment> shared, PodAttachmentSpec spec, String pod) {
        PodAttachmentSpec wanted = spec.with(pod, new WorkloadAttachment(workload.uid(), now));
        return shared.isEmpty() ? List.of(new Step.CreateAttachment(wanted)) : unite(shared, wanted);
    }

    private PodAttachmentSpec union(List<KnownAttachment> shared) {
        PodAttachmentSpec union = new PodAttachmentSpec(volume.keyFor(workload), Map.of());
        for (KnownAttachment attachment : shared) {
            for (var entry : attachment.spec().mountpointS3PodAttachments().entrySet()) {
                union = union.with(entry.getKey(), entry.getValue());
            }
        }
        return union;
    }

    /** The oldest takes all in before the others go, so that no workload is ever without. */
    private List<Step> unite(List<KnownAttachment> shared, PodAttachmentSpec wanted) {
        List<Step> steps = new ArrayList<>(removal.write(shared.getFirst(), wanted));
        shared.stream().skip(1).map(Step.DeleteAttachment::new).forEach(steps::add);
        return steps;
    }
}
