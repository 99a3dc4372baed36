package s3csi.driver.node.kernel;

import java.io.IOException;
import java.nio.file.FileSystemException;
import s3csi.linux.Errno;
import s3csi.linux.LinuxException;
import s3csi.volume.NodeCause;
import s3csi.volume.Printable;
import s3csi.volume.VolumeFailure;

/** The one place where what the node refuses becomes a cause. */
public final class NodeFailures {
    private static final int LONGEST = 500;

    private NodeFailures() {}

    /** A call to the kernel, or on a file, failed. */
    public static VolumeFailure of(String action, IOException failure) {
        String problem = words(failure);
        return new VolumeFailure(
                isExhaustion(failure)
                        ? new NodeCause.NodeExhausted(action, problem)
                        : new NodeCause.MountRefused(action, problem),
                failure);
    }

    /** The FUSE device cannot be opened. */
    static VolumeFailure ofDevice(LinuxException failure) {
        return switch (failure.errno()) {
            case Errno.ENOENT, Errno.ENODEV, Errno.ENXIO, Errno.EACCES, Errno.EPERM ->
                new VolumeFailure(new NodeCause.FuseMissing(words(failure)), failure);
            default -> of("open the FUSE device", failure);
        };
    }

    private static boolean isExhaustion(IOException failure) {
        if (failure instanceof LinuxException call) {
            return switch (call.errno()) {
                case Errno.EMFILE, Errno.ENFILE, Errno.ENOMEM, Errno.EAGAIN, Errno.ENOSPC, Errno.EDQUOT, Errno.EUSERS ->
                    true;
                default -> false;
            };
        }
        String words = words(failure);
        return words.contains("No space left") || words.contains("Too many open files");
    }

    private static String words(IOException failure) {
        String message = String.valueOf(failure.getMessage());
        // These name only the file; what is wrong with it is the name of the class.
        boolean bare = failure instanceof FileSystemException file && file.getReason() == null;
        return Printable.oneLine(bare ? failure.getClass().getSimpleName() + " " + message : message, LONGEST);
    }
}
