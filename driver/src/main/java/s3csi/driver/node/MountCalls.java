package s3csi.driver.node;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import s3csi.linux.Descriptor;
import s3csi.linux.DeviceNumber;
import s3csi.linux.FuseMountOptions;
import s3csi.linux.MountEntry;
import s3csi.linux.Mounts.Unmount;

/** What the node service asks of the kernel. None of it waits for an engine without a bound; what fails is a VolumeFailure. */
interface MountCalls {
    /** What the mount table shows as the device of every source, in every release. */
    String SOURCE_NAME = "mountpoint-s3";

    /** All mounts, in the order of the mount table: later ones cover earlier ones. */
    List<MountEntry> table();

    /** Opens the FUSE device and mounts it. Whoever touches the mount waits until somebody serves the device. */
    FuseMount mountFuse(Path at, FuseMountOptions options);

    /** Lets the kernel read ahead as far as suits an engine, which may lack the rights for that itself. For a mount that is served. */
    void readFarAhead(DeviceNumber device);

    /** Shows a mount at a second place. */
    void bind(Path source, Path target, boolean readOnly);

    /** Unmounts; false when it is in use or does not end in time. What is not mounted counts as unmounted. */
    boolean unmount(Path at, Unmount how);

    /** Asks a mount, which is the one on this device, for a sign of life. */
    Pulse pulse(Path mount, DeviceNumber device, Duration patience);

    /** The mount that one sees at the path. */
    default Optional<MountEntry> topAt(Path path) {
        return table().stream().filter(entry -> entry.isAt(path)).reduce((_, later) -> later);
    }

    /** Whether a mount is of this driver's making, whichever release made it. */
    static boolean isOurs(MountEntry entry) {
        return entry.isFuse() && entry.source().equals(SOURCE_NAME);
    }

    /** A FUSE mount in the making: the descriptor through which it is served. */
    interface FuseMount extends AutoCloseable {
        Descriptor descriptor();

        DeviceNumber device();

        /** Gives the descriptor up. The mount lives on if somebody else has it too. */
        @Override
        void close();
    }
}
