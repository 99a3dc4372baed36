package s3csi.kubernetes;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which Mountpoint Pods serve the workloads of one {@link SharingKey}. The components have the names of the definition's fields.
 *
 * @param mountpointS3PodAttachments workloads by the name of their Mountpoint Pod; there are several while those of an earlier release
 *     still serve
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record PodAttachmentSpec(
        String nodeName,
        String persistentVolumeName,
        String volumeID,
        String mountOptions,
        String workloadFSGroup,
        SortedMap<String, List<WorkloadAttachment>> mountpointS3PodAttachments) {
    static final PodAttachmentSpec EMPTY = new PodAttachmentSpec("", "", "", "", "", Collections.emptySortedMap());

    /** Fields may be missing from what was edited by hand where the definition was edited too. */
    public PodAttachmentSpec {
        nodeName = Objects.requireNonNullElse(nodeName, "");
        persistentVolumeName = Objects.requireNonNullElse(persistentVolumeName, "");
        volumeID = Objects.requireNonNullElse(volumeID, "");
        mountOptions = Objects.requireNonNullElse(mountOptions, "");
        workloadFSGroup = Objects.requireNonNullElse(workloadFSGroup, "");
        mountpointS3PodAttachments = copy(Objects.requireNonNullElse(mountpointS3PodAttachments, Map.of()));
    }

    public PodAttachmentSpec(SharingKey key, Map<String, List<WorkloadAttachment>> workloads) {
        this(
                key.node(),
                key.persistentVolume(),
                key.volumeId(),
                key.mountOptions(),
                key.fsGroup(),
                new TreeMap<>(workloads));
    }

    private static SortedMap<String, List<WorkloadAttachment>> copy(Map<String, List<WorkloadAttachment>> workloads) {
        SortedMap<String, List<WorkloadAttachment>> copy = new TreeMap<>();
        workloads.forEach((pod, list) -> copy.put(pod, list == null ? List.of() : List.copyOf(list)));
        return Collections.unmodifiableSortedMap(copy);
    }

    @JsonIgnore
    public SharingKey key() {
        return new SharingKey(nodeName, persistentVolumeName, volumeID, mountOptions, workloadFSGroup);
    }

    /** The Mountpoint Pod that serves a workload. */
    public Optional<String> mountpointPodOf(String workloadUid) {
        return mountpointPodsOf(workloadUid).stream().findFirst();
    }

    /** All Mountpoint Pods that list a workload. There is more than one only after two controllers wrote at once. */
    public List<String> mountpointPodsOf(String workloadUid) {
        return mountpointS3PodAttachments.entrySet().stream()
                .filter(entry -> entry.getValue().stream()
                        .anyMatch(workload -> workload.workloadPodUID().equals(workloadUid)))
                .map(Entry::getKey)
                .toList();
    }

    /** With one more workload of a Mountpoint Pod, which may be new to it. */
    public PodAttachmentSpec with(String mountpointPod, WorkloadAttachment workload) {
        return with(mountpointPod, List.of(workload));
    }

    /** With more workloads of a Mountpoint Pod, or none. Those that it has already stay as they are. */
    public PodAttachmentSpec with(String mountpointPod, List<WorkloadAttachment> more) {
        SortedMap<String, List<WorkloadAttachment>> changed = new TreeMap<>(mountpointS3PodAttachments);
        List<WorkloadAttachment> workloads = new ArrayList<>(changed.getOrDefault(mountpointPod, List.of()));
        for (WorkloadAttachment workload : more) {
            if (workloads.stream().noneMatch(known -> known.workloadPodUID().equals(workload.workloadPodUID()))) {
                workloads.add(workload);
            }
        }
        changed.put(mountpointPod, workloads);
        return new PodAttachmentSpec(key(), changed);
    }

    /** Without a workload. Its Mountpoint Pod stays, be it without any: it is forgotten only after it was told to unmount. */
    public PodAttachmentSpec withoutWorkload(String workloadUid) {
        SortedMap<String, List<WorkloadAttachment>> changed = new TreeMap<>();
        mountpointS3PodAttachments.forEach((pod, workloads) -> changed.put(
                pod,
                workloads.stream()
                        .filter(workload -> !workload.workloadPodUID().equals(workloadUid))
                        .toList()));
        return new PodAttachmentSpec(key(), changed);
    }

    /** Without a workload at one Mountpoint Pod; another that lists it keeps it. */
    public PodAttachmentSpec without(String mountpointPod, String workloadUid) {
        SortedMap<String, List<WorkloadAttachment>> changed = new TreeMap<>(mountpointS3PodAttachments);
        changed.computeIfPresent(
                mountpointPod,
                (_, workloads) -> workloads.stream()
                        .filter(workload -> !workload.workloadPodUID().equals(workloadUid))
                        .toList());
        return new PodAttachmentSpec(key(), changed);
    }

    public PodAttachmentSpec withoutMountpointPod(String mountpointPod) {
        SortedMap<String, List<WorkloadAttachment>> changed = new TreeMap<>(mountpointS3PodAttachments);
        changed.remove(mountpointPod);
        return new PodAttachmentSpec(key(), changed);
    }
}
