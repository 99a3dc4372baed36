package s3csi.filesystem.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import s3csi.filesystem.FileSystemConfig;
import s3csi.filesystem.OpenBucket;
import s3csi.fuse.Operation;
import s3csi.fuse.session.FuseSession;
import s3csi.fuse.session.SessionEvents;
import s3csi.fuse.session.SessionSettings;
import s3csi.linux.FuseDevice;
import s3csi.linux.FuseMountOptions;
import s3csi.linux.LinuxException;
import s3csi.linux.MountTable;
import s3csi.linux.Mounts;
import s3csi.s3.testing.FaultyObjectStore;
import s3csi.s3.testing.MemoryObjectStore;

/** The file system mounted by the real kernel over a store in memory, and taken away again whatever happens. */
public final class RealMount implements AutoCloseable {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final long MEMORY = 128L << 20;

    public final MemoryObjectStore memory;
    public final FaultyObjectStore faults;
    public final Path root;
    public final FuseSession session;
    private final OpenBucket bucket;

    private RealMount(FileSystemConfig config, MemoryObjectStore memory) throws IOException, InterruptedException {
        this.memory = memory;
        this.faults = new FaultyObjectStore(memory);
        this.bucket = OpenBucket.open(faults, config.withMemory(MEMORY));
        this.root = Files.createTempDirectory("s3csi-fs");
        try {
            FuseDevice device = FuseDevice.open();
            Mounts.mountFuse(
                    device,
                    "mountpoint-s3",
                    root,
                    FuseMountOptions.ownedBy(0, 0).withAllowOther(true));
            this.session = FuseSession.start(
                    device,
                    bucket.fileSystem(),
                    SessionSettings.defaults().withWishes(bucket.wishes()),
                    new PrintedFaults());
            if (session.awaitStarted(LONG).isEmpty()) {
                throw new AssertionError("the session did not start: " + session.awaitEnd(LONG));
            }
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            unmount();
            throw e;
        }
    }

    private static final class PrintedFaults implements SessionEvents {
        @Override
        public void handlerFailed(Operation operation, long node, Throwable cause) {
            System.err.println(operation + " of node " + node + " failed by a fault:");
            cause.printStackTrace();
        }
    }

    public static RealMount of(FileSystemConfig config) throws IOException, InterruptedException {
        return new RealMount(config, new MemoryObjectStore());
    }

    public static RealMount of(FileSystemConfig config, MemoryObjectStore store)
            throws IOException, InterruptedException {
        return new RealMount(config, store);
    }

    /** What a program said and how it ended. */
    public record Ran(int exit, String output) {}

    /** Runs a script with the mount as its directory. */
    public Ran run(String script) throws IOException, InterruptedException {
        Process process = start(script);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ran(process.waitFor(), output);
    }

    public Process start(String script) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        "bash", "-c", "cd \"$1\" && { " + script + "\n}", "bash", root.toString())
                .redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");
        return builder.start();
    }

    private void unmount() throws IOException {
        while (!MountTable.current().at(root).isEmpty()) {
            try {
                Mounts.unmount(root, Mounts.Unmount.PLAIN);
            } catch (LinuxException e) {
                // Somebody still has a file open.
                Mounts.unmount(root, Mounts.Unmount.DETACH);
            }
        }
        Files.deleteIfExists(root);
    }

    @Override
    public void close() throws IOException {
        unmount();
        try {
            if (session.awaitEnd(LONG).isEmpty()) {
                throw new AssertionError("the session did not end with its mount");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        bucket.close();
    }
}
