package s3csi.driver.node;

import java.util.Optional;
import s3csi.volume.AuthenticationSource;
import s3csi.volume.StoreKeys;
import s3csi.volume.VolumeAttributes;
import s3csi.volume.VolumeId;
import s3csi.volume.mount.MountGroup;
import s3csi.volume.mount.MountPlan;

/**
 * What shall be mounted, and how.
 *
 * @param keys none for a bucket that everybody may read
 * @param readOnly whether this workload may only read; the plan says it for all workloads
 */
public record VolumeMount(
        VolumeId volume,
        VolumeAttributes attributes,
        MountPlan plan,
        Optional<MountGroup> group,
        AuthenticationSource source,
        Optional<StoreKeys> keys,
        boolean readOnly) {
    /** Empty for none. */
    public String groupText() {
        return group.map(MountGroup::text).orElse("");
    }
}
