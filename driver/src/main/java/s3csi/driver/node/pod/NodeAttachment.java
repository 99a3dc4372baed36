package s3csi.driver.node.pod;

import java.util.List;
import s3csi.volume.json.JsonObject;

/**
 * Which Mountpoint Pods serve workloads on this node.
 *
 * @param fsGroup of the workloads, as text; empty for none
 * @param pods each with the UIDs of its workloads
 */
record NodeAttachment(String persistentVolume, String volume, String fsGroup, List<Served> pods) {
    record Served(String pod, List<String> workloads) {}

    static NodeAttachment of(JsonObject attachment) {
        JsonObject spec = attachment.object("spec");
        JsonObject pods = spec.object("mountpointS3PodAttachments");
        return new NodeAttachment(
                spec.text("persistentVolumeName"),
                spec.text("volumeID"),
                spec.text("workloadFSGroup"),
                pods.members().keySet().stream()
                        .sorted()
                        .map(pod -> new Served(
                                pod,
                                pods.objects(pod).stream()
                                        .map(workload -> workload.text("workloadPodUID"))
                                        .toList()))
                        .toList());
    }

    /** The Mountpoint Pods that shall serve a workload; more than one only while it passes from one to the other. */
    List<String> podsOf(String workloadUid) {
        return pods.stream()
                .filter(served -> served.workloads().contains(workloadUid))
                .map(Served::pod)
                .toList();
    }

    boolean lists(String mountpointPod) {
        return pods.stream().anyMatch(served -> served.pod().equals(mountpointPod));
    }
}
