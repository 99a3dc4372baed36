package s3csi.s3.testing.process;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import s3csi.linux.DirectoryTree;
import s3csi.linux.MountEntry;
import s3csi.linux.MountTable;
import s3csi.linux.Mounts;

/**
 * Temporary directories that do not pile up. All directories of one JVM lie below one root, whose lock the kernel releases
 * however the JVM ends; so what a killed JVM left is recognised and removed by the next one.
 */
public final class Scratch {
    private static final String ROOT_PREFIX = "s3csi-testbed-";
    private static final String LOCK = "owner.lock";

    /** A root this young may belong to a JVM that has not taken its lock yet. */
    private static final Duration YOUNG = Duration.ofMinutes(1);

    private static final Map<Path, Root> ROOTS = new HashMap<>();

    private record Root(Path directory, FileLock heldForLife) {}

    private Scratch() {}

    /** A new empty directory. */
    public static Path directory(String purpose) {
        return directoryBelow(Path.of(System.getProperty("java.io.tmpdir")), purpose);
    }

    /** A new empty directory whose files are memory, for what must not wait for a disk. */
    public static Path directoryInMemory(String purpose) {
        return directoryBelow(Path.of("/dev/shm"), purpose);
    }

    /** A new empty directory on a file system that keeps {@code user.*} extended attributes. */
    public static Path directoryWithAttributes(String purpose) {
        List<Path> candidates =
                List.of(Path.of(System.getProperty("java.io.tmpdir")), Path.of("/dev/shm"), Path.of("/var/tmp"));
        for (Path base : candidates) {
            if (Files.isWritable(base)) {
                Path directory = directoryBelow(base, purpose);
                if (keepsAttributes(directory)) {
                    return directory;
                }
                delete(directory);
            }
        }
        throw new IllegalStateException(
                "no directory of %s keeps extended attributes, which the S3 gateway stores its".formatted(candidates)
                        + " metadata in. Set java.io.tmpdir to a directory on ext4, xfs or a recent tmpfs");
    }

    /**
     * Removes a directory and all below it; symbolic links are removed, not followed. What is mounted below is unmounted first:
     * the files of a mount are not ours to remove, and a mount whose server is gone cannot even be looked at.
     */
    public static void delete(Path directory) {
        try {
            detachMounts(directory);
            DirectoryTree.remove(directory);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot remove the temporary directory " + directory, failure);
        }
    }

    private static void detachMounts(Path directory) throws IOException {
        // By its parent, because the directory itself may be gone or be a dead mount.
        Path absolute = directory.toAbsolutePath().normalize();
        Path real = requireNonNull(absolute.getParent(), "never the root")
                .toRealPath()
                .resolve(absolute.getFileName());
        List<MountEntry> mounts = MountTable.current().select(entry -> entry.isAt(real) || entry.isBelow(real));
        // The last one covers those before it.
        for (MountEntry mount : mounts.reversed()) {
            Mounts.unmount(Path.of(mount.mountPoint()), Mounts.Unmount.DETACH);
        }
    }

    private static Path directoryBelow(Path base, String purpose) {
        synchronized (ROOTS) {
            try {
                Root root = ROOTS.get(base);
                if (root == null) {
                    removeLeftovers(base);
                    root = newRoot(base);
                    ROOTS.put(base, root);
                }
                return Files.createTempDirectory(root.directory(), purpose + "-");
            } catch (IOException failure) {
                throw new UncheckedIOException("cannot make a temporary directory in " + base, failure);
            }
        }
    }

    private static Root newRoot(Path base) throws IOException {
        Path directory = Files.createTempDirectory(base, ROOT_PREFIX);
        FileChannel channel =
                FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        var root = new Root(directory, channel.lock());
        // Children are stopped before their directories go: see ChildProcess.
        LastRites.beforeExit(LastRites.Order.DIRECTORIES, () -> delete(root.directory()));
        return root;
    }

    static void removeLeftovers(Path base) throws IOException {
        Instant young = Instant.now().minus(YOUNG);
        try (DirectoryStream<Path> roots = Files.newDirectoryStream(base, ROOT_PREFIX + "*")) {
            for (Path root : roots) {
                Path lock = root.resolve(LOCK);
                if (Files.isWritable(lock)
                        && Files.getLastModifiedTime(lock).toInstant().isBefore(young)
                        && isFree(lock)) {
                    delete(root);
                }
            }
        }
    }

    private static boolean isFree(Path lockFile) throws IOException {
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock != null;
        } catch (NoSuchFileException removedByItsOwner) {
            return false;
        }
    }

    private static boolean keepsAttributes(Path directory) {
        var attributes = Files.getFileAttributeView(directory, UserDefinedFileAttributeView.class);
        try {
            attributes.write("s3csi", ByteBuffer.wrap(new byte[] {1}));
            attributes.delete("s3csi");
            return true;
        } catch (IOException unsupported) {
            return false;
        }
    }
}
