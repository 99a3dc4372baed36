package s3csi.kubernetes;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the node service and the reconciler want to know of a Mountpoint Pod, of this or an earlier release.
 *
 * @param node where it runs; empty until it is scheduled
 * @param isTerminating whether it was told to end; it may serve for minutes more
 * @param driverVersion the release that made it; empty if it does not say
 * @param workloadUid the workload that it was made for; empty if it does not say
 * @param persistentVolume what it mounts; empty if it does not say
 * @param volumeUid of the PersistentVolume that it was made for; empty if it does not say
 */
public record MountpointPod(
        String name,
        String uid,
        String node,
        PodPhase phase,
        boolean isTerminating,
        Instant created,
        String driverVersion,
        String workloadUid,
        String persistentVolume,
        boolean needsUnmount,
        boolean refusesWorkloads,
        PublishSecret publishSecret,
        String volumeUid) {
    /** Whether the PersistentVolume names a Secret for its mounts. */
    public enum PublishSecret {
        NAMED,
        /** Only then the driver's own keys may serve a volume that wants those of a Secret. */
        NOT_NAMED,
        /** Mountpoint Pods of earlier releases do not tell. */
        UNTOLD;

        public static PublishSecret of(@Nullable String text) {
            return switch (text) {
                case Annotations.YES -> NAMED;
                case Annotations.NO -> NOT_NAMED;
                case null, default -> UNTOLD;
            };
        }
    }

    public static MountpointPod of(Pod pod) {
        ObjectMeta metadata = pod.getMetadata();
        Map<String, String> labels = Objects.requireNonNullElse(metadata.getLabels(), Map.of());
        Map<String, String> annotations = Objects.requireNonNullElse(metadata.getAnnotations(), Map.of());
        return new MountpointPod(
                metadata.getName(),
                Objects.requireNonNullElse(metadata.getUid(), ""),
                pod.getSpec() == null
                        ? ""
                        : Objects.requireNonNullElse(pod.getSpec().getNodeName(), ""),
                PodPhase.of(pod.getStatus() == null ? null : pod.getStatus().getPhase()),
                metadata.getDeletionTimestamp() != null,
                instant(metadata.getCreationTimestamp()),
                labels.getOrDefault(Labels.DRIVER_VERSION, ""),
                labels.getOrDefault(Labels.POD_UID, ""),
                Optional.ofNullable(annotations.get(Annotations.VOLUME_NAME))
                        .orElseGet(() -> labels.getOrDefault(Labels.VOLUME_NAME, "")),
                isYes(annotations, Annotations.NEEDS_UNMOUNT),
                isYes(annotations, Annotations.NO_NEW_WORKLOAD),
                PublishSecret.of(annotations.get(Annotations.NAMES_PUBLISH_SECRET)),
                annotations.getOrDefault(Annotations.VOLUME_UID, ""));
    }

    private static boolean isYes(Map<String, String> annotations, String key) {
        return annotations.getOrDefault(key, "").equals(Annotations.YES);
    }

    /** One that the API server has not seen yet is as old as can be; it writes all others itself. */
    private static Instant instant(@Nullable String time) {
        try {
            return time == null ? Instant.EPOCH : Instant.parse(time);
        } catch (DateTimeException e) {
            return Instant.EPOCH;
        }
    }
}
