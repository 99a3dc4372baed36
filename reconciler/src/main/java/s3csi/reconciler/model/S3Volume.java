package s3csi.reconciler.model;

import io.fabric8.kubernetes.api.model.CSIPersistentVolumeSource;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import s3csi.kubernetes.SharingKey;
import s3csi.volume.Driver;
import s3csi.volume.mount.MountOptions;

/**
 * A PersistentVolume of this driver.
 *
 * @param id its {@code volumeHandle}
 * @param namesPublishSecret whether it names a Secret for its mounts
 */
public record S3Volume(
        String name,
        String uid,
        String id,
        List<String> mountOptions,
        Map<String, String> attributes,
        boolean namesPublishSecret) {
    public S3Volume {
        mountOptions = List.copyOf(mountOptions);
        attributes = Map.copyOf(attributes);
    }

    /** Empty for the volume of another driver. */
    public static Optional<S3Volume> of(PersistentVolume volume) {
        CSIPersistentVolumeSource csi = volume.getSpec().getCsi();
        return csi == null || !Driver.NAME.equals(csi.getDriver())
                ? Optional.empty()
                : Optional.of(new S3Volume(
                        volume.getMetadata().getName(),
                        Objects.requireNonNullElse(volume.getMetadata().getUid(), ""),
                        csi.getVolumeHandle(),
                        Objects.requireNonNullElse(volume.getSpec().getMountOptions(), List.of()),
                        Objects.requireNonNullElse(csi.getVolumeAttributes(), Map.of()),
                        csi.getNodePublishSecretRef() != null));
    }

    /** Whether it wants a cache as releases 2.x had it: by a mount option, which named a directory of the node. */
    public boolean hasCacheOption() {
        return MountOptions.parse(mountOptions).has("--cache");
    }

    /** What decides who shares a Mountpoint Pod with the workload. */
    public SharingKey keyFor(WorkloadPod workload) {
        return SharingKey.of(workload.node(), name, id, mountOptions, workload.fsGroup());
    }
}
