package s3csi.kubernetes;

import java.util.List;
import java.util.Optional;

/**
 * What workloads must agree in to share a Mountpoint Pod. It names the attachment: there is one for each key.
 *
 * @param mountOptions of the PersistentVolume, in its order, joined by commas
 * @param fsGroup as decimal text; empty where the workload names none
 */
public record SharingKey(String node, String persistentVolume, String volumeId, String mountOptions, String fsGroup) {
    public static SharingKey of(
            String node,
            String persistentVolume,
            String volumeId,
            List<String> mountOptions,
            Optional<Long> workloadFsGroup) {
        return new SharingKey(
                node,
                persistentVolume,
                volumeId,
                String.join(",", mountOptions),
                workloadFsGroup.map(String::valueOf).orElse(""));
    }
}
