package s3csi.driver.node;

import java.util.Optional;
import s3csi.driver.node.kernel.Deadline;
import s3csi.driver.node.target.Target;
import s3csi.linux.DeviceNumber;
import s3csi.volume.VolumeId;

/**
 * Gets volumes to targets, in one of the ways in which engines can run. Where it mounts, and what it keeps beside the mounts, is its own
 * business. Everything here may be repeated.
 */
public interface Mounter {
    /**
     * Mounts the volume at the target, where nothing is mounted: when this returns it is served there, with current keys. When it fails,
     * nothing is left of it that no other target needs.
     */
    void mount(VolumeMount mount, Target target, Deadline deadline);

    /** What the target, which is of this device, shows; empty if this mounter did not mount it. */
    Optional<Published> published(Target target, DeviceNumber device);

    /**
     * The target, which is of this device, is published already: brings its keys up to date, and does nothing else. It may also be a
     * mount that this mounter did not make.
     */
    void refresh(Target target, DeviceNumber device, VolumeMount mount, Deadline deadline);

    /** The target of this volume, which was of this device, is unmounted: what no other target needs any more ends. */
    void release(Target target, VolumeId volume, DeviceNumber device, Deadline deadline);

    /** Ends what no target uses: what a driver before this one, or a busy mount, left behind. */
    void sweep();
}
