package s3csi.reconciler.loop;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import s3csi.kubernetes.MountpointPod;
import s3csi.kubernetes.PodPhase;
import s3csi.kubernetes.WorkloadAttachment;
import s3csi.reconciler.loop.Subject.SinglePod;
import s3csi.reconciler.loop.Subject.VolumeOnNode;
import s3csi.reconciler.model.Assignment;
import s3csi.reconciler.model.ClusterView;
import s3csi.reconciler.model.KnownAttachment;
import s3csi.reconciler.model.LostAttachments;
import s3csi.reconciler.model.Removal;
import s3csi.reconciler.model.S3Volume;
import s3csi.reconciler.model.Step;
import s3csi.reconciler.model.Upkeep;
import s3csi.reconciler.model.WorkloadPod;
import s3csi.volume.VolumeFailure;

/** Brings one subject into order, one decision at a time: after each it waits until the cache shows what was written. */
final class Reconciler {
    /** How long something must be unused before it is taken for left behind: a cache may be that far behind, and no further. */
    static final Duration STALE_AFTER = Duration.ofMinutes(2);

    /** An event usually comes first. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final ClusterCache cache;
    private final SeenWrites seen;
    private final DepartedWorkloads departed;
    private final Steps steps;
    private final Notices notices;
    private final String driverVersion;
    private final Clock clock;

    Reconciler(
            ClusterCache cache,
            SeenWrites seen,
            DepartedWorkloads departed,
            Steps steps,
            Notices notices,
            String driverVersion,
            Clock clock) {
        this.cache = cache;
        this.seen = seen;
        this.departed = departed;
        this.steps = steps;
        this.notices = notices;
        this.driverVersion = driverVersion;
        this.clock = clock;
    }

    /** When to look at it again, if nothing happens before; empty if it is in order. */
    Optional<Duration> reconcile(Subject subject) {
        if (!seen.areAllSeen(subject)) {
            return Optional.of(LOOK_AGAIN);
        }
        return switch (subject) {
            case VolumeOnNode place -> reconcile(place);
            case SinglePod pod -> reconcile(pod);
        };
    }

    private Optional<Duration> reconcile(VolumeOnNode place) {
        ClusterView view = cache.view(place.volume());
        List<KnownAttachment> here = view.attachments().stream()
                .filter(attachment -> attachment.spec().nodeName().equals(place.node()))
                .toList();
        Instant now = clock.instant();
        for (KnownAttachment attachment : here) {
            List<Step> removal = new Removal(view).of(vanished(attachment, now), attachment);
            if (!removal.isEmpty()) {
                steps.take(place, removal);
                return Optional.of(LOOK_AGAIN);
            }
        }
        List<Pod> workloads = cache.workloadsOf(place).stream()
                .sorted(Comparator.comparing((Pod pod) -> pod.getMetadata().getUid()))
                .toList();
        List<WorkloadPod> neighbours = workloads.stream().map(WorkloadPod::of).toList();
        for (Pod pod : workloads) {
            if (serve(place, pod, neighbours, view, now)) {
                return Optional.of(LOOK_AGAIN);
            }
        }
        Optional<PersistentVolume> volume = cache.volume(place.volume());
        volume.ifPresent(found -> notices.inVain(place, found));
        List<Step> upkeep = volume.flatMap(S3Volume::of)
                .map(known -> Upkeep.of(known, here.stream(), view))
                .orElse(List.of());
        if (!upkeep.isEmpty()) {
            steps.take(place, upkeep);
            return Optional.of(LOOK_AGAIN);
        }
        return here.stream()
                .flatMap(Reconciler::listed)
                .filter(listed -> cache.podByUid(listed.workloadPodUID()).isEmpty())
                .map(listed -> Duration.between(now, listed.attachmentTime().plus(STALE_AFTER)))
                .min(Comparator.naturalOrder());
    }

    private static Stream<WorkloadAttachment> listed(KnownAttachment attachment) {
        return attachment.spec().mountpointS3PodAttachments().values().stream().flatMap(List::stream);
    }

    /**
     * The workloads that were seen to go, or are gone and were not attached just now; those that have ended, whatever has become of their
     * claims and volumes since; and those that some hand wrote in where they cannot belong.
     */
    private Set<String> vanished(KnownAttachment attachment, Instant now) {
        return listed(attachment)
                .filter(listed -> cache.podByUid(listed.workloadPodUID())
                        .map(pod -> !WorkloadPod.of(pod).isActive()
                                || isElsewhere(pod, attachment)
                                || usesNot(pod, attachment))
                        .orElse(departed.contains(listed.workloadPodUID()) || isOld(listed.attachmentTime(), now)))
                .map(WorkloadAttachment::workloadPodUID)
                .collect(Collectors.toSet());
    }

    /** One that lies far ahead is of a clock that was wrong, and is not waited for. */
    private static boolean isOld(Instant time, Instant now) {
        return Duration.between(time, now).abs().compareTo(STALE_AFTER) >= 0;
    }

    /**
     * Whether none of the pod's claims has the volume. A claim that is gone tells nothing, as it may go before its pod; and one that was made
     * anew tells nothing of what a pod that runs has mounted.
     */
    private boolean usesNot(Pod pod, KnownAttachment attachment) {
        String volume = attachment.spec().persistentVolumeName();
        boolean mayTell = WorkloadPod.of(pod).phase() == PodPhase.PENDING
                || cache.volume(volume).isEmpty();
        return mayTell
                && Workloads.claimsOf(pod).stream()
                        .map(cache::claim)
                        .noneMatch(claim -> claim.isEmpty()
                                || Workloads.volumeOf(claim.get()).equals(volume));
    }

    /** No pod ever moves to another node. */
    private static boolean isElsewhere(Pod pod, KnownAttachment attachment) {
        String node = Workloads.nodeOf(pod);
        return !node.isEmpty() && !node.equals(attachment.spec().nodeName());
    }

    /** Whether there was something to do. */
    private boolean serve(VolumeOnNode place, Pod pod, List<WorkloadPod> neighbours, ClusterView view, Instant now) {
        WorkloadPod workload = WorkloadPod.of(pod);
        S3Volume volume = cache.volume(place.volume()).flatMap(S3Volume::of).orElseThrow();
        List<Step> decided = Assignment.decide(driverVersion, workload, neighbours, volume, view, now);
        if (decided.isEmpty()) {
            return false;
        }
        try {
            steps.take(place, decided, workload, volume);
        } catch (VolumeFailure e) {
            // Only a change of the volume helps, and that is an event of its own.
            notices.senseless(pod, volume, e);
            return false;
        } catch (KubernetesClientException e) {
            if (Steps.isRefusal(e)) {
                notices.refused(pod, volume, Steps.reason(e));
            }
            throw e;
        }
        notices.served(pod, volume, view, decided);
        return true;
    }

    /** Removes what is left of a Mountpoint Pod, and sees to it that one that nothing names ends. */
    private Optional<Duration> reconcile(SinglePod subject) {
        Optional<Pod> found = cache.mountpointPod(subject.name());
        if (found.isEmpty() || !cache.attachmentsOfPod(subject.name()).isEmpty()) {
            return Optional.empty();
        }
        MountpointPod pod = MountpointPod.of(found.get());
        if (pod.isTerminating() || isWanted(pod)) {
            return Optional.empty();
        }
        if (pod.phase().hasEnded()) {
            steps.take(subject, List.of(new Step.DeletePod(pod.name())));
            return Optional.of(LOOK_AGAIN);
        }
        Instant now = clock.instant();
        if (!isOld(pod.created(), now)) {
            return Optional.of(Duration.between(now, pod.created().plus(STALE_AFTER)));
        }
        if (pod.phase() == PodPhase.PENDING) {
            // It has never mounted anything.
            steps.take(subject, List.of(new Step.DeletePod(pod.name())));
        } else if (!pod.needsUnmount()) {
            steps.take(subject, List.of(new Step.RequestUnmount(pod.name())));
        }
        return Optional.empty();
    }

    /** Whether it was made for a workload that is there, or serves one whose attachment was lost: that one's volume decides. */
    private boolean isWanted(MountpointPod pod) {
        if (pod.phase().hasEnded()) {
            return false;
        }
        boolean isFirstThere = cache.podByUid(pod.workloadUid())
                .map(WorkloadPod::of)
                .filter(WorkloadPod::isActive)
                .isPresent();
        return isFirstThere || servesUnlisted(pod);
    }

    private boolean servesUnlisted(MountpointPod pod) {
        VolumeOnNode place = new VolumeOnNode(pod.node(), pod.persistentVolume());
        List<WorkloadPod> workloads =
                cache.workloadsOf(place).stream().map(WorkloadPod::of).toList();
        return cache.volume(place.volume())
                .flatMap(S3Volume::of)
                .map(volume -> new LostAttachments(cache.view(place.volume()), volume, workloads).of(pod))
                .filter(unlisted -> !unlisted.isEmpty())
                .isPresent();
    }
}
