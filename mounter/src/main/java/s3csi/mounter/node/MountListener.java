package s3csi.mounter.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.linux.FuseDevice;
import s3csi.linux.PeerCredentials;
import s3csi.linux.ReceivedMessage;
import s3csi.linux.UnixListener;
import s3csi.linux.UnixStream;
import s3csi.volume.EngineTrouble;
import s3csi.volume.mount.EngineReport;
import s3csi.volume.mount.MountMessage;

/**
 * Listens on the socket of the comm directory until a node service hands a mount over: one message, exactly one descriptor, then the end
 * of the stream. Whoever opens it decides how long it listens.
 *
 * <p>Nothing that comes over the socket can end the waiting but a good message: strangers are sent away unheard; who is allowed to
 * speak and sends nonsense finds out why in {@code mount.err}, and may try again.
 */
final class MountListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MountListener.class);

    /** How often is looked whether anybody still wants a mount. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);
    /** A node service sends all at once; one that stops half-way must not keep the next one waiting. */
    static final Duration MESSAGE_WITHIN = Duration.ofSeconds(10);

    private final CommDirectory comm;
    private final Rules rules;
    private final UnixListener socket;

    /**
     * How it listens.
     *
     * @param patience after which the log says that still nothing came
     * @param messageWithin what a message may take from the connection to its end
     * @param trusted who may hand a mount over
     */
    record Rules(Duration patience, Duration messageWithin, Predicate<PeerCredentials> trusted) {}

    private MountListener(CommDirectory comm, Rules rules, UnixListener socket) {
        this.comm = comm;
        this.rules = rules;
        this.socket = socket;
    }

    /** Begins to listen. */
    static MountListener open(CommDirectory comm, Rules rules) throws IOException {
        MountListener listener = new MountListener(comm, rules, UnixListener.bind(comm.socket()));
        try {
            // Root may connect whatever the mode is.
            Files.setPosixFilePermissions(comm.socket(), PosixFilePermissions.fromString("rw-------"));
        } catch (IOException e) {
            listener.close();
            throw e;
        }
        LOG.info("waiting for a mount on {}", comm.socket());
        return listener;
    }

    /** Waits for a mount; empty when nobody wants one any more. Blocks in system calls: for a platform thread. */
    Optional<HandedMount> await() throws IOException {
        long since = System.nanoTime();
        while (!comm.isEndWanted()) {
            Optional<UnixStream> stream = socket.accept(BETWEEN_LOOKS);
            if (stream.isPresent()) {
                Optional<HandedMount> mount = receive(stream.get());
                if (mount.isPresent()) {
                    return mount;
                }
            } else if (System.nanoTime() - since >= rules.patience().toNanos()) {
                LOG.info(
                        "no mount received within {} seconds; still waiting",
                        rules.patience().toSeconds());
                since = System.nanoTime();
            }
        }
        return Optional.empty();
    }

    private Optional<HandedMount> receive(UnixStream stream) throws IOException {
        try (stream) {
            PeerCredentials peer = stream.peer();
            if (!rules.trusted().test(peer)) {
                LOG.warn(
                        "process {} of user {} wants to hand a mount over and is sent away: only root and the user of"
                                + " this process may",
                        peer.pid(),
                        peer.uid());
                return Optional.empty();
            }
            return received(stream);
        } catch (IOException | IllegalArgumentException e) {
            LOG.warn("invalid mount request ignored; still waiting", e);
            comm.write(new EngineReport(
                    EngineTrouble.ENGINE_FAILED,
                    "Error: the mounter could not use what the node service sent: " + e.getMessage() + "\n"));
            return Optional.empty();
        }
    }

    private Optional<HandedMount> received(UnixStream stream) throws IOException {
        ReceivedMessage received = stream.receiveAll(MountMessage.LARGEST, 1, rules.messageWithin());
        boolean used = false;
        try {
            if (received.bytes().length == 0 && received.descriptors().isEmpty()) {
                LOG.debug("a peer connected and sent nothing");
                return Optional.empty();
            }
            MountMessage message = MountMessage.parse(received.bytes());
            if (received.descriptors().isEmpty()) {
                throw new IllegalArgumentException("no descriptor came with the mount message");
            }
            FuseDevice device = FuseDevice.adopt(received.descriptors().getFirst());
            used = true;
            return Optional.of(new HandedMount(message, device));
        } finally {
            if (!used) {
                received.close();
            }
        }
    }

    /** Sends away whoever connects from now on. */
    @Override
    public void close() throws IOException {
        socket.close();
    }
}
