package s3csi.reconciler.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import s3csi.kubernetes.MountpointPod;
import s3csi.kubernetes.MountpointPod.PublishSecret;
import s3csi.kubernetes.PodPhase;

/** Workloads, volumes and pods for tests. */
final class Samples {
    static final String RELEASE = "3.0.0";
    static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    static final S3Volume VOLUME = volume(Map.of("bucketName", "b"));

    private Samples() {}

    static WorkloadPod workload(String uid) {
        return new WorkloadPod("default", "app-" + uid, uid, "node-1", PodPhase.PENDING, false, Optional.empty());
    }

    static WorkloadPod in(PodPhase phase, WorkloadPod workload) {
        return new WorkloadPod(
                workload.namespace(),
                workload.name(),
                workload.uid(),
                workload.node(),
                phase,
                workload.isTerminating(),
                workload.fsGroup());
    }

    static WorkloadPod terminating(WorkloadPod workload) {
        return new WorkloadPod(
                workload.namespace(),
                workload.name(),
                workload.uid(),
                workload.node(),
                workload.phase(),
                true,
                workload.fsGroup());
    }

    static S3Volume volume(Map<String, String> attributes, String... mountOptions) {
        return new S3Volume("pv-1", "uid of pv-1", "handle-1", List.of(mountOptions), attributes, false);
    }

    /** A Mountpoint Pod of this release that serves. */
    static MountpointPod pod(String name, String workloadUid) {
        return pod(name, workloadUid, PodPhase.RUNNING, false, RELEASE, false, false);
    }

    static MountpointPod pod(
            String name,
            String workloadUid,
            PodPhase phase,
            boolean isTerminating,
            String release,
            boolean needsUnmount,
            boolean refusesWorkloads) {
        return new MountpointPod(
                name,
                "uid of " + name,
                "node-1",
                phase,
                isTerminating,
                NOW,
                release,
                workloadUid,
                "pv-1",
                needsUnmount,
                refusesWorkloads,
                PublishSecret.NOT_NAMED,
                "uid of pv-1");
    }
}
