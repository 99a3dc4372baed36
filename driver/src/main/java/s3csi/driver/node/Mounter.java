package s3csi.driver.node;

import java.nio.file.Path;
import java.util.function.Consumer;
import s3csi.linux.DeviceNumber;

/** Gives volumes their sources, and takes them back. Everything here may be repeated. */
interface Mounter {
    /**
     * Sees to it that the volume's source is mounted and served and its keys are current, and lets the caller use it. As long as it is in
     * use, it stays. When the use fails, a source that nobody else needs ends.
     */
    void withSource(VolumeMount mount, Deadline deadline, Consumer<MountedSource> use);

    /**
     * The target, which is of this device, is published already: brings its keys up to date, and does nothing else.
     *
     * @return false if it is not the device of a source of this mounter
     */
    boolean refresh(Path target, DeviceNumber device, VolumeMount mount, Deadline deadline);

    /** A target of this device is gone: a source that nobody needs any more ends. */
    void release(DeviceNumber device, Deadline deadline);
}
