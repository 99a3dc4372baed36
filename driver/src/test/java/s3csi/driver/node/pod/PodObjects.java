package s3csi.driver.node.pod;

import java.util.List;
import java.util.stream.Collectors;
import s3csi.driver.cluster.FakeApiServer;

/** What a cluster has of Mountpoint Pods, and who changes it. */
record PodObjects(FakeApiServer server) {
    static final String NODE = "node-1";
    static final String NAMESPACE = "mount-s3";
    static final String PODS = "/api/v1/namespaces/mount-s3/pods";
    static final String ATTACHMENTS = "/apis/s3.csi.scality.com/v2/mountpoints3podattachments";
    static final String VOLUME_OF_PVS = "volume-1";

    static final String RUNNING = "\"phase\":\"Running\"";
    static final String PENDING = "\"phase\":\"Pending\"";
    /** What only a controller of this release writes. */
    private static final String OF_THIS_RELEASE = "\"s3.csi.scality.com/volume-id\":\"v\",";

    static final String NO_SECRET = OF_THIS_RELEASE + "\"s3.csi.scality.com/names-publish-secret\":\"false\"";
    static final String SECRET = OF_THIS_RELEASE + "\"s3.csi.scality.com/names-publish-secret\":\"true\"";
    static final String NEEDS_UNMOUNT = "\"s3.csi.scality.com/needs-unmount\":\"true\"";

    /** A pod on the node, of which the UID is the name with a word before it. */
    static String pod(String name, String annotations, String status) {
        return "{\"metadata\":{\"name\":\"" + name + "\",\"uid\":\"" + uid(name) + "\",\"annotations\":{" + annotations
                + "}},\"spec\":{\"nodeName\":\"" + NODE + "\"},\"status\":{" + status + "}}";
    }

    static String uid(String name) {
        return "uid-of-" + name;
    }

    void put(String name, String annotations, String status) {
        server.put(PODS, pod(name, annotations, status));
    }

    void run(String name) {
        put(name, NO_SECRET, RUNNING);
    }

    void remove(String name) {
        server.remove(PODS, name);
    }

    /** Says that a pod serves these workloads on volume pv-1. */
    void assign(String attachment, String pod, String... workloads) {
        String listed = List.of(workloads).stream()
                .map(workload ->
                        "{\"workloadPodUID\":\"" + workload + "\",\"attachmentTime\":\"2026-01-01T00:00:00Z\"}")
                .collect(Collectors.joining(","));
        server.put(
                ATTACHMENTS,
                "{\"metadata\":{\"name\":\"" + attachment + "\"},\"spec\":{\"nodeName\":\"" + NODE
                        + "\",\"persistentVolumeName\":\"pv-1\",\"volumeID\":\"" + VOLUME_OF_PVS
                        + "\",\"workloadFSGroup\":\"\",\"mountOptions\":\"\",\"mountpointS3PodAttachments\":{\"" + pod
                        + "\":[" + listed + "]}}}");
    }
}
