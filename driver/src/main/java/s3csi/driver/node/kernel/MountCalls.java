package s3csi.driver.node.kernel;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import s3csi.linux.Descriptor;
import s3csi.linux.DeviceNumber;
import s3csi.linux.Directory;
import s3csi.linux.FuseMountOptions;
import s3csi.linux.MountEntry;
import s3csi.linux.MountTable;
import s3csi.linux.Mounts.Unmount;

/** What the node service asks of the kernel. None of it waits for an engine without a bound; what fails is a VolumeFailure. */
public interface MountCalls {
    /** What the mount table shows as the device of every source, in every release. */
    String SOURCE_NAME = "mountpoint-s3";

    /** What is wanted of each mount, in the order of the mount table. Many may call at once, so it should be little. */
    <T> List<T> collect(Function<MountEntry, Stream<T>> wanted);

    /** The mounts that are wanted; they should be few. */
    default List<MountEntry> select(Predicate<MountEntry> wanted) {
        return collect(entry -> wanted.test(entry) ? Stream.of(entry) : Stream.empty());
    }

    /** Whether there is such a mount. */
    boolean any(Predicate<MountEntry> wanted);

    /** Opens the FUSE device and mounts it. Whoever touches the mount waits until somebody serves the device. */
    FuseMount mountFuse(Path at, FuseMountOptions options);

    /** Lets the kernel read ahead as far as suits an engine, which may lack the rights for that itself. For a mount that is served. */
    void readFarAhead(DeviceNumber device);

    /** Shows a mount at a second place, a name in a directory that is open, at once as it shall be. */
    void bind(Path source, Directory parent, String name, boolean readOnly);

    /** Makes what is mounted at such a place read-only there. */
    void makeReadOnly(Directory parent, String name);

    /** Unmounts; false when it is in use or does not end in time. What is not mounted counts as unmounted. */
    boolean unmount(Path at, Unmount how);

    /** The same for a name in a directory that is open. */
    boolean unmount(Directory parent, String name, Unmount how);

    /** Asks a mount, which is the one on this device, for a sign of life. */
    Pulse pulse(Path mount, DeviceNumber device, Duration patience);

    /** The mount that one sees at the path. */
    default Optional<MountEntry> topAt(Path path) {
        return MountTable.top(select(entry -> entry.isAt(path)));
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
