package s3csi.driver;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right to be the one driver of a plugin directory: two of them would take each other's socket, and end each other's mounts as
 * leftovers.
 *
 * <p>It is a lock of the kernel on a file. It goes with the process however that ends, engines do not inherit it, and it holds
 * between containers that share the directory. The file stays: were it removed, two drivers could lock two files of that name.
 */
final class PluginLock implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PluginLock.class);

    /** How long a driver that was told to stop may take; it does so in three seconds. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final String NAME = "driver.lock";
    /** The kernel lets nobody wait for such a lock until a deadline. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

    private final FileChannel file;

    private PluginLock(FileChannel file) {
        this.file = file;
    }

    /** Takes the lock, and waits for another driver to end: in a rolling update the new one may come before the old one goes. */
    static PluginLock take(Path plugin, Duration patience) throws IOException, InterruptedException {
        Files.createDirectories(plugin);
        FileChannel file = FileChannel.open(
                plugin.resolve(NAME),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        boolean isTaken = false;
        try {
            await(file, plugin, patience);
            isTaken = true;
            return new PluginLock(file);
        } finally {
            if (!isTaken) {
                file.close();
            }
        }
    }

    private static void await(FileChannel file, Path plugin, Duration patience)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        boolean isTold = false;
        while (tryLock(file) == null) {
            if (System.nanoTime() > end) {
                throw new IOException("another driver works with " + plugin + " and has not ended within "
                        + patience.toSeconds() + " seconds; end it, or give this one another directory by"
                        + " HOST_PLUGIN_DIR");
            }
            if (!isTold) {
                LOG.warn(
                        "another driver works with {}; waiting up to {} seconds for its end",
                        plugin,
                        patience.toSeconds());
                isTold = true;
            }
            Thread.sleep(LOOK_AGAIN);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel file) throws IOException {
        try {
            return file.tryLock();
        } catch (OverlappingFileLockException _) {
            // Held by this very process.
            return null;
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            LOG.warn("cannot give the lock of the plugin directory back; the end of this process does", e);
        }
    }
}
