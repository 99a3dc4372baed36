package s3csi.reconciler.loop;

import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import s3csi.control.Announcements;
import s3csi.kubernetes.PodAttachmentSpec;
import s3csi.kubernetes.WorkloadAttachment;
import s3csi.reconciler.loop.Subject.VolumeOnNode;
import s3csi.reconciler.model.ClusterView;
import s3csi.reconciler.model.KnownAttachment;
import s3csi.reconciler.model.S3Volume;
import s3csi.reconciler.model.Step;
import s3csi.volume.CauseFaces;
import s3csi.volume.VolumeFailure;

/** What the owners of workloads and claims are told about their volumes, and in which words. */
final class Notices {
    private final ClusterCache cache;
    private final Announcements announcements;

    Notices(ClusterCache cache, Announcements announcements) {
        this.cache = cache;
        this.announcements = announcements;
    }

    /** The attributes or options of the volume make no sense. */
    void senseless(Pod pod, S3Volume volume, VolumeFailure failure) {
        warn(
                pod,
                volume,
                CauseFaces.eventReason(failure.reason()),
                "the volume " + volume.name() + " cannot be mounted: "
                        + failure.reason().message());
    }

    /** By the API server, in whose words. */
    void refused(Pod pod, S3Volume volume, String words) {
        warn(
                pod,
                volume,
                "MountpointPodRefused",
                "the API server refused what is needed to mount the volume " + volume.name() + ": " + words
                        + ". It is tried again; correct what it names");
    }

    private void warn(Pod pod, S3Volume volume, String reason, String message) {
        announcements.warn(pod, reason, message);
        cache.volume(volume.name())
                .flatMap(cache::claimOf)
                .ifPresent(claim -> announcements.warn(claim, reason, message));
    }

    /** A claim that is not bound yet is nothing to speak of; one that never will be is. */
    void inVain(VolumeOnNode place, PersistentVolume volume) {
        for (PersistentVolumeClaim claim : cache.claimsInVain(volume)) {
            ObjectReference other = volume.getSpec().getClaimRef();
            String message = "the claim " + claim.getMetadata().getName() + " names the volume " + place.volume()
                    + ", which is for the claim " + other.getName() + " in the namespace " + other.getNamespace()
                    + ", or for one of that name that was deleted. Make a volume for this claim, or remove"
                    + " spec.claimRef of that volume if nobody uses it";
            cache.podsOfClaim(Cache.metaNamespaceKeyFunc(claim)).stream()
                    .filter(pod -> Workloads.nodeOf(pod).equals(place.node()))
                    .forEach(pod -> announcements.warn(pod, "VolumeOfAnotherClaim", message));
            announcements.warn(claim, "VolumeOfAnotherClaim", message);
        }
    }

    /** Which Mountpoint Pod serves the workload from now on, if that has changed. */
    void served(Pod pod, S3Volume volume, ClusterView view, List<Step> taken) {
        String uid = pod.getMetadata().getUid();
        Optional<String> before = view.attachments().stream()
                .flatMap(attachment -> attachment.spec().mountpointPodOf(uid).stream())
                .findFirst();
        for (PodAttachmentSpec written :
                taken.stream().flatMap(Notices::written).toList()) {
            Optional<String> now = written.mountpointPodOf(uid);
            if (now.isPresent() && !now.equals(before)) {
                before.ifPresentOrElse(
                        replaced -> replaced(pod, volume, replaced, now.get()),
                        () -> assigned(pod, volume, now.get(), written));
                return;
            }
        }
    }

    private void assigned(Pod pod, S3Volume volume, String mountpointPod, PodAttachmentSpec written) {
        List<WorkloadAttachment> sharing = written.mountpointS3PodAttachments().getOrDefault(mountpointPod, List.of());
        announcements.tell(
                pod,
                "MountpointPodAssigned",
                "the Mountpoint Pod " + mountpointPod + " serves the volume " + volume.name()
                        + (sharing.size() > 1 ? ", shared with other pods on this node" : ""));
    }

    private void replaced(Pod pod, S3Volume volume, String before, String now) {
        announcements.warn(
                pod,
                "MountpointPodReplaced",
                "the Mountpoint Pod " + before + " no longer serves the volume " + volume.name() + "; " + now
                        + " takes its place. If reads fail in a container that runs, restart it");
    }

    private static Stream<PodAttachmentSpec> written(Step step) {
        return switch (step) {
            case Step.CreateAttachment(PodAttachmentSpec spec) -> Stream.of(spec);
            case Step.UpdateAttachment(KnownAttachment _, PodAttachmentSpec spec) -> Stream.of(spec);
            case Step.CreatePod _,
                    Step.DeleteAttachment _,
                    Step.RequestUnmount _,
                    Step.NotePublishSecret _,
                    Step.DeletePod _ -> Stream.empty();
        };
    }
}
