package s3csi.reconciler.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import s3csi.kubernetes.MountpointPod;
import s3csi.kubernetes.PodAttachmentSpec;
import s3csi.kubernetes.PodPhase;

/** Takes steps as an API server does: names are unique, and a change of what has changed is refused. */
final class FakeCluster {
    final Map<String, KnownAttachment> attachments = new TreeMap<>();
    final Map<String, MountpointPod> pods = new TreeMap<>();
    private long clock = Samples.NOW.getEpochSecond();

    Instant now() {
        return Instant.ofEpochSecond(clock);
    }

    ClusterView view() {
        return new ClusterView(List.copyOf(attachments.values()), pods);
    }

    /** Whether it was done. */
    boolean take(Step step, WorkloadPod workload) {
        clock++;
        return switch (step) {
            case Step.CreatePod(String name) ->
                pods.putIfAbsent(
                                name,
                                Samples.pod(
                                        name, workload.uid(), PodPhase.PENDING, false, Samples.RELEASE, false, false))
                        == null;
            case Step.CreateAttachment(PodAttachmentSpec spec) -> store("s3pa-" + clock, spec, now());
            case Step.UpdateAttachment(KnownAttachment seen, PodAttachmentSpec spec) ->
                seen.equals(attachments.get(seen.name())) && store(seen.name(), spec, seen.created());
            case Step.DeleteAttachment(KnownAttachment seen) -> attachments.remove(seen.name(), seen);
            case Step.RequestUnmount(String name) -> {
                pods.computeIfPresent(name, (_, pod) -> changed(pod, pod.phase(), pod.isTerminating(), true));
                yield true;
            }
            case Step.NotePublishSecret _ -> true;
            case Step.DeletePod(String name) -> {
                pods.remove(name);
                yield true;
            }
        };
    }

    private boolean store(String name, PodAttachmentSpec spec, Instant created) {
        attachments.put(name, new KnownAttachment(name, "uid of " + name, Long.toString(clock), created, spec));
        return true;
    }

    static MountpointPod changed(MountpointPod pod, PodPhase phase, boolean isTerminating, boolean needsUnmount) {
        return Samples.pod(
                pod.name(),
                pod.workloadUid(),
                phase,
                isTerminating,
                pod.driverVersion(),
                needsUnmount,
                pod.refusesWorkloads());
    }

    /** The Mountpoint Pods that attachments say serve a workload, as far as they are there and have not ended. */
    List<MountpointPod> serving(WorkloadPod workload) {
        return attachments.values().stream()
                .flatMap(attachment -> attachment.spec().mountpointS3PodAttachments().entrySet().stream())
                .filter(entry -> entry.getValue().stream()
                        .anyMatch(listed -> listed.workloadPodUID().equals(workload.uid())))
                .filter(entry -> pods.containsKey(entry.getKey()))
                .map(entry -> pods.get(entry.getKey()))
                .filter(pod -> pod != null && !pod.phase().hasEnded())
                .distinct()
                .toList();
    }
}
