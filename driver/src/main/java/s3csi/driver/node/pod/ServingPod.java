package s3csi.driver.node.pod;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import s3csi.kubernetes.Annotations;
import s3csi.kubernetes.Labels;
import s3csi.kubernetes.MountpointPod.PublishSecret;
import s3csi.kubernetes.PodPhase;
import s3csi.volume.json.JsonObject;
import s3csi.volume.mount.EngineKind;
import s3csi.volume.mount.PodPaths;

/**
 * A Mountpoint Pod of this node, of this or an earlier release.
 *
 * @param isTerminating whether it was told to end; it may serve for minutes more
 * @param publishSecret whether the PersistentVolume names a Secret
 * @param isOfThisRelease whether a controller of 3.x made it
 * @param holdUp what keeps it from running, in its own words; empty if nothing is known to
 * @param hasAuthorities whether it has certificates of private authorities
 * @param cacheLimit the size of its volume for a cache, where that is limited
 */
record ServingPod(
        String name,
        String uid,
        PodPhase phase,
        boolean isTerminating,
        boolean needsUnmount,
        PublishSecret publishSecret,
        boolean isOfThisRelease,
        String driverVersion,
        Optional<String> holdUp,
        boolean hasAuthorities,
        Optional<String> cacheLimit) {
    /** What a container waits for that time alone does not mend. */
    private static final Set<String> BAD_WAITS = Set.of(
            "ErrImagePull",
            "ImagePullBackOff",
            "ErrImageNeverPull",
            "InvalidImageName",
            "ImageInspectError",
            "CreateContainerConfigError",
            "CreateContainerError",
            "RunContainerError",
            "CrashLoopBackOff");

    static ServingPod of(JsonObject pod) {
        Map<String, String> annotations = pod.texts("metadata", "annotations");
        return new ServingPod(
                pod.text("metadata", "name"),
                pod.text("metadata", "uid"),
                PodPhase.of(pod.text("status", "phase")),
                pod.has("metadata", "deletionTimestamp"),
                Annotations.YES.equals(annotations.get(Annotations.NEEDS_UNMOUNT)),
                PublishSecret.of(annotations.get(Annotations.NAMES_PUBLISH_SECRET)),
                annotations.containsKey(Annotations.VOLUME_ID),
                pod.texts("metadata", "labels").getOrDefault(Labels.DRIVER_VERSION, ""),
                holdUpOf(pod.object("status")),
                hasMount(pod, PodPaths.AUTHORITIES),
                cacheLimitOf(pod));
    }

    private static Optional<String> holdUpOf(JsonObject status) {
        return Stream.concat(
                        Stream.of("containerStatuses", "initContainerStatuses")
                                .flatMap(list -> status.objects(list).stream())
                                .map(container -> container.object("state", "waiting"))
                                .filter(waiting -> BAD_WAITS.contains(waiting.text("reason"))),
                        Stream.concat(
                                status.objects("conditions").stream()
                                        .filter(condition -> condition
                                                        .text("type")
                                                        .equals("PodScheduled")
                                                && condition.text("status").equals("False")),
                                Stream.of(status).filter(all -> PodPhase.of(all.text("phase")) == PodPhase.FAILED)))
                .map(ServingPod::words)
                .findFirst();
    }

    private static String words(JsonObject said) {
        String reason = said.text("reason");
        String message = said.text("message");
        return message.isEmpty() ? (reason.isEmpty() ? "it failed" : reason) : reason + ": " + message;
    }

    private static boolean hasMount(JsonObject pod, String path) {
        return pod.objects("spec", "containers").stream()
                .flatMap(container -> container.objects("volumeMounts").stream())
                .anyMatch(mount -> mount.text("mountPath").equals(path));
    }

    /** A cache in memory counts against the memory of the container, which the engine heeds anyway. */
    private static Optional<String> cacheLimitOf(JsonObject pod) {
        List<JsonObject> volumes = pod.objects("spec", "volumes");
        return volumes.stream()
                .filter(volume -> volume.text("name").equals(PodPaths.CACHE_VOLUME))
                .map(volume -> volume.object("emptyDir"))
                .filter(directory -> directory.text("medium").isEmpty())
                .map(directory -> directory.text("sizeLimit"))
                .filter(limit -> !limit.isEmpty())
                .findFirst();
    }

    /** What listens in it. Only the controller of this release names the volume in the pods that it makes. */
    EngineKind engine() {
        return isOfThisRelease ? EngineKind.OURS : EngineKind.MOUNTPOINT;
    }

    /** Whether it takes or serves a mount now, as far as the API server knows. A pod whose container crashes again and again runs, too. */
    boolean isRunning() {
        return phase == PodPhase.RUNNING && holdUp.isEmpty();
    }
}
