package s3csi.driver.node.source;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.driver.node.kernel.BoundedCalls;
import s3csi.driver.node.kernel.Deadline;
import s3csi.driver.node.kernel.MountCalls;
import s3csi.driver.node.kernel.NodeFailures;
import s3csi.driver.node.kernel.Pulse;
import s3csi.linux.Directory;
import s3csi.linux.Errno;
import s3csi.linux.FuseMountOptions;
import s3csi.linux.LinuxException;
import s3csi.linux.Mounts.Unmount;
import s3csi.linux.Processes;
import s3csi.volume.AuthenticationSource;
import s3csi.volume.NodeCause;
import s3csi.volume.VolumeFailure;
import s3csi.volume.mount.CommFiles;
import s3csi.volume.mount.EngineReport;
import s3csi.volume.mount.MountMessage;

/**
 * Makes a source: mounts FUSE, hands the descriptor over, waits until the engine serves it. Whatever goes wrong, the mount is taken away
 * again; the driver's own descriptor ({@link SourceDevices}) and the engine are the caller's to let go and to end.
 */
public final class SourceMount {
    private static final Logger LOG = LoggerFactory.getLogger(SourceMount.class);

    /** A mount that comes up answers the waiting question at once; in between the engine's complaint is looked for this often. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    private final MountCalls mounts;
    private final SourceDevices devices;
    private final BoundedCalls bounded = new BoundedCalls();
    private final AtomicLong handOvers = new AtomicLong();

    public SourceMount(MountCalls mounts, SourceDevices devices) {
        this.mounts = mounts;
        this.devices = devices;
    }

    /**
     * One source to be made.
     *
     * @param at where; the directory exists
     * @param comm where the engine listens
     * @param taker who may take the mount over there
     * @param keys whose keys the engine gets
     * @param log where the engine's log is, for a person
     */
    public record Order(
            String name,
            Path at,
            Path comm,
            MountMessage message,
            boolean readOnly,
            Engine engine,
            MountSender.PeerRule taker,
            AuthenticationSource keys,
            String log) {}

    public MountedSource mount(Order order, Deadline deadline) {
        FuseMountOptions options = FuseMountOptions.ownedBy(Processes.effectiveUserId(), Processes.effectiveGroupId())
                // Who may use it is the engine's decision, by --allow-other and --allow-root; one of them is always
                // set.
                .withAllowOther(true)
                .withReadOnly(order.readOnly());
        MountCalls.FuseMount fuse = devices.mount(order.name(), order.at(), options);
        try {
            forgetOldReport(order);
            handOver(order, fuse, deadline);
            awaitService(order, fuse, deadline);
            mounts.readFarAhead(fuse.device());
            return new MountedSource(order.name(), order.at(), fuse.device());
        } catch (RuntimeException e) {
            takeAway(order.at());
            throw e;
        }
    }

    private static void forgetOldReport(Order order) {
        try (Directory comm = Directory.at(order.comm())) {
            comm.removeIfPresent(CommFiles.ERROR);
        } catch (LinuxException e) {
            throw NodeFailures.of("prepare " + order.comm(), e);
        }
    }

    private void handOver(Order order, MountCalls.FuseMount fuse, Deadline deadline) {
        MountSender sender = new MountSender(order.comm(), order.taker(), order.engine()::isAlive);
        try {
            Optional<Boolean> sent = bounded.call(
                    "hand-over " + handOvers.incrementAndGet(),
                    Boolean.class,
                    deadline.remaining(),
                    () -> sender.send(order.message(), fuse.descriptor(), deadline));
            if (!sent.orElse(false)) {
                throw report(order).orElseGet(() -> deadFor(order, "its engine did not take the mount over in time"));
            }
        } catch (IOException e) {
            // An engine that dies with the connection open has something better to say than the socket.
            throw report(order).orElseGet(() -> NodeFailures.of("hand the mount over in " + order.comm(), e));
        }
    }

    private void awaitService(Order order, MountCalls.FuseMount fuse, Deadline deadline) {
        while (true) {
            switch (mounts.pulse(order.at(), fuse.device(), deadline.atMost(BETWEEN_LOOKS))) {
                case Pulse.Alive _ -> {
                    return;
                }
                case Pulse.Dead dead ->
                    throw report(order).orElseGet(() -> deadFor(order, "the mount ended at once: " + dead.problem()));
                case Pulse.Silent _ -> {
                    Optional<VolumeFailure> failure = report(order);
                    if (failure.isPresent()) {
                        throw failure.get();
                    }
                    if (deadline.isOver()) {
                        throw deadFor(order, "its engine did not begin to serve in time");
                    }
                }
            }
        }
    }

    /** What the engine left to say, or that it ended without a word. */
    private static Optional<VolumeFailure> report(Order order) {
        // Asked first: what it writes before it ends is then there.
        boolean ended = !order.engine().isAlive();
        try (Directory comm = Directory.at(order.comm())) {
            byte[] words = comm.read(CommFiles.ERROR, EngineReport.LARGEST);
            return Optional.of(failure(order, words));
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENOENT) {
                throw NodeFailures.of("read " + order.comm().resolve(CommFiles.ERROR), e);
            }
            return ended ? Optional.of(failure(order, order.engine().lastWords())) : Optional.empty();
        }
    }

    private static VolumeFailure failure(Order order, byte[] words) {
        return new VolumeFailure(
                EngineReport.parse(words).cause(order.message().bucketName(), order.keys(), order.log()));
    }

    private static VolumeFailure deadFor(Order order, String problem) {
        return new VolumeFailure(new NodeCause.EngineSilent(order.message().bucketName(), problem));
    }

    /** Aborts the connection, which sets free whoever waits in it, and unmounts. */
    public void takeAway(Path source) {
        if (!mounts.unmount(source, Unmount.FORCE) && !mounts.unmount(source, Unmount.DETACH)) {
            LOG.error("cannot unmount {}; it will be tried again", source);
        }
    }
}
