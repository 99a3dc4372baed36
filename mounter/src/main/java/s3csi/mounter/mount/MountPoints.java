package s3csi.mounter.mount;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;
import s3csi.linux.Descriptor;
import s3csi.linux.FuseDevice;
import s3csi.linux.MountEntry;
import s3csi.linux.MountTable;
import s3csi.linux.NotAFuseDeviceException;
import s3csi.mounter.config.MountPoint;
import s3csi.mounter.config.StartFailure;

/** Whether a mount point can be one: asked before the store is, because it costs nothing. */
final class MountPoints {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private MountPoints() {}

    /** The directory in the form that the mount table has: absolute, without symbolic links. */
    static Path checkedDirectory(MountPoint.Directory mountPoint) throws StartFailure {
        try {
            Path path = mountPoint.path().toRealPath();
            if (!Files.readAttributes(path, BasicFileAttributes.class).isDirectory()) {
                throw failure("mount point " + mountPoint + " is not a directory");
            }
            List<MountEntry> there = MountTable.current().at(path);
            // An automounter waits at the path until somebody mounts on top of it.
            if (there.stream().anyMatch(entry -> !entry.type().equals("autofs"))) {
                throw failure("mount point " + mountPoint + " is already mounted");
            }
            // What an automounter waits at is empty; to list it would wake the automounter, which waits for us.
            if (there.isEmpty() && !isEmpty(path)) {
                throw failure("mount point " + mountPoint + " is not empty, and the mount would hide what is in it;"
                        + " use an empty directory");
            }
            return path;
        } catch (NoSuchFileException _) {
            throw failure("mount point " + mountPoint + " does not exist");
        } catch (IOException e) {
            throw failure(
                    "mount point " + mountPoint + " cannot be looked at; if a mount there lost its process, unmount it",
                    e);
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            return !entries.iterator().hasNext();
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /** Takes an inherited descriptor over. */
    static FuseDevice adopted(MountPoint.FuseDescriptor mountPoint) throws StartFailure {
        Path link = DESCRIPTORS.resolve(Integer.toString(mountPoint.number()));
        String target;
        try {
            target = Files.readSymbolicLink(link).toString();
        } catch (IOException _) {
            throw failure("mount point " + mountPoint + " is not a valid file descriptor");
        }
        try {
            FuseDevice device = FuseDevice.adopt(Descriptor.owning(mountPoint.number()));
            device.descriptor().setCloseOnExec(true);
            return device;
        } catch (NotAFuseDeviceException e) {
            throw failure(
                    target.equals(FuseDevice.PATH.toString())
                            ? "expected mount point " + mountPoint + " to have read and write permissions"
                            : "expected mount point " + mountPoint + " to be a " + FuseDevice.PATH
                                    + " device file descriptor but got " + target,
                    e);
        } catch (IOException e) {
            throw failure("mount point " + mountPoint + " cannot be used", e);
        }
    }

    private static StartFailure failure(String message) {
        return failure(message, null);
    }

    private static StartFailure failure(String message, @Nullable Throwable cause) {
        return new StartFailure("Failed to create mount point", new StartFailure(message, cause));
    }
}
