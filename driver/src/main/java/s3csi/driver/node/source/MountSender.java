package s3csi.driver.node.source;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import s3csi.driver.node.kernel.Deadline;
import s3csi.linux.Descriptor;
import s3csi.linux.Directory;
import s3csi.linux.Errno;
import s3csi.linux.FileFlags;
import s3csi.linux.LinuxException;
import s3csi.linux.PeerCredentials;
import s3csi.linux.UnixStream;
import s3csi.volume.NodeCause;
import s3csi.volume.VolumeFailure;
import s3csi.volume.mount.CommFiles;
import s3csi.volume.mount.MountMessage;

/**
 * Gives a mount to the engine that listens in a comm directory: the whole message and exactly one descriptor in one piece, then the end.
 * There is no answer; the mount itself, or {@code mount.err}, is the answer.
 *
 * <p>Whoever runs the engine may write in the directory, so nothing in it is trusted: the socket is opened without following links, and
 * who listens is asked of the kernel before anything is sent.
 */
public final class MountSender {
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(5);

    /** Who may take the mount. */
    @FunctionalInterface
    public interface PeerRule {
        boolean accepts(PeerCredentials peer);
    }

    private final Path comm;
    private final PeerRule rule;
    private final BooleanSupplier engineLives;

    MountSender(Path comm, PeerRule rule, BooleanSupplier engineLives) {
        this.comm = comm;
        this.rule = rule;
        this.engineLives = engineLives;
    }

    /**
     * Waits until somebody listens, then sends. False when the time is over or the engine ended before. Waiting in socket calls pins a
     * carrier, so this is for platform threads.
     */
    boolean send(MountMessage message, Descriptor fuse, Deadline deadline) throws IOException {
        try (Directory directory = Directory.at(comm)) {
            while (!deadline.isOver() && engineLives.getAsBoolean()) {
                try (Descriptor socket = directory.open(CommFiles.SOCKET, FileFlags.O_PATH, 0);
                        UnixStream stream = UnixStream.connect(socket)) {
                    requireEngine(stream.peer());
                    stream.send(message.toBytes(), List.of(fuse));
                    stream.endOutput();
                    return true;
                } catch (LinuxException e) {
                    requireNotYet(e);
                }
                LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
            }
            return false;
        }
    }

    /** The file is not there yet, or is there and nobody listens yet. */
    private static void requireNotYet(LinuxException failure) throws LinuxException {
        if (failure.errno() != Errno.ENOENT && failure.errno() != Errno.ECONNREFUSED) {
            throw failure;
        }
    }

    private void requireEngine(PeerCredentials peer) {
        if (!rule.accepts(peer)) {
            throw new VolumeFailure(new NodeCause.StrangerOnSocket(
                    comm.resolve(CommFiles.SOCKET).toString(), "process " + peer.pid() + " of user " + peer.uid()));
        }
    }
}
