package s3csi.fuse.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import s3csi.fuse.FileSystem;
import s3csi.linux.DeviceNumber;
import s3csi.linux.FuseDevice;
import s3csi.linux.FuseMountOptions;
import s3csi.linux.LinuxException;
import s3csi.linux.MountEntry;
import s3csi.linux.MountTable;
import s3csi.linux.Mounts;

/** A file system mounted by the real kernel in a directory of its own, and taken away again whatever happens. */
final class Mounted implements AutoCloseable {
    static final Duration LONG = Duration.ofSeconds(30);

    final Path root;
    final FuseSession session;
    final DeviceNumber device;
    final RecordedEvents events;

    private Mounted(Path root, FuseSession session, DeviceNumber device, RecordedEvents events) {
        this.root = root;
        this.session = session;
        this.device = device;
        this.events = events;
    }

    static Mounted of(FileSystem fileSystem) throws Exception {
        return of(fileSystem, SessionSettings.defaults());
    }

    static Mounted of(FileSystem fileSystem, SessionSettings settings) throws Exception {
        return of(fileSystem, settings, new RecordedEvents());
    }

    static Mounted of(FileSystem fileSystem, SessionSettings settings, RecordedEvents events) throws Exception {
        Path root = Files.createTempDirectory("s3csi-fuse");
        try {
            FuseDevice device = FuseDevice.open();
            Mounts.mountFuse(
                    device,
                    "mountpoint-s3",
                    root,
                    FuseMountOptions.ownedBy(0, 0).withAllowOther(true));
            MountEntry entry = MountTable.current().topAt(root).orElseThrow();
            FuseSession session = FuseSession.start(device, fileSystem, settings, events);
            Mounted mounted = new Mounted(root, session, entry.device(), events);
            assertThat(session.awaitStarted(LONG)).isPresent();
            return mounted;
        } catch (Exception | Error e) {
            cleanUp(root);
            throw e;
        }
    }

    Path file(String name) {
        return root.resolve(name);
    }

    /** Unmounts as an administrator does; fails while it is in use. */
    void unmount() throws LinuxException {
        Mounts.unmount(root, Mounts.Unmount.PLAIN);
    }

    @Override
    public void close() throws IOException {
        cleanUp(root);
        try {
            assertThat(session.awaitEnd(LONG))
                    .as("the end of a session whose mount is gone")
                    .isPresent();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void cleanUp(Path root) throws IOException {
        while (!MountTable.current().at(root).isEmpty()) {
            try {
                Mounts.unmount(root, Mounts.Unmount.FORCE);
            } catch (LinuxException e) {
                // Somebody still has a file open. The connection is aborted all the same, so nobody waits in it.
                Mounts.unmount(root, Mounts.Unmount.DETACH);
            }
        }
        Files.deleteIfExists(root);
    }
}
