package s3csi.driver.node.target;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.driver.node.kernel.MountCalls;
import s3csi.driver.node.kernel.Pulse;
import s3csi.linux.MountEntry;
import s3csi.linux.MountTable;
import s3csi.linux.Mounts.Unmount;
import s3csi.volume.Cause;
import s3csi.volume.NodeCause;
import s3csi.volume.Printable;
import s3csi.volume.VolumeFailure;
import s3csi.volume.mount.TargetPath;

/**
 * The targets: directories of workloads with a source bound to them.
 *
 * <p>A target lies below one root, whose own path may have symbolic links; below it none is followed. Nothing here touches what is
 * behind a FUSE mount: whether something is mounted is read from the mount table.
 */
public final class BindMounts {
    private static final Logger LOG = LoggerFactory.getLogger(BindMounts.class);
    private static final Duration PULSE_PATIENCE = Duration.ofSeconds(5);

    private final MountCalls mounts;
    private final Path givenRoot;
    private final Path realRoot;
    private final Path own;

    /**
     * The targets below a directory.
     *
     * @param own the driver's own directory, in which no target may be: it would cover what the driver keeps there, such as keys
     */
    public BindMounts(MountCalls mounts, Path root, Path own) throws IOException {
        this.mounts = mounts;
        this.givenRoot = root.toAbsolutePath().normalize();
        this.realRoot = root.toRealPath();
        this.own = own.toRealPath();
    }

    /** The target that is asked for, which must lie below the root. */
    public Target resolve(TargetPath asked) {
        Path path = realPath(asked);
        if (path.startsWith(own) || own.startsWith(path)) {
            throw VolumeFailure.invalid(
                    "target_path",
                    Printable.quoted(path.toString()) + " is part of the driver's own directory, or holds it",
                    "Use a path outside of " + own);
        }
        return new Target(path, asked.workload());
    }

    private Path realPath(TargetPath asked) {
        if (asked.isBelow(realRoot.toString())) {
            return Path.of(asked.text());
        }
        asked.requireBelow(givenRoot.toString());
        return realRoot.resolve(givenRoot.relativize(Path.of(asked.text())));
    }

    /** What is mounted at the target. A way there that leads elsewhere, or a target that is no directory, is refused. */
    private Optional<MountEntry> mountedAt(Path target) {
        List<MountEntry> onTheWay = onTheWayTo(target);
        refuseInsideOfAnother(onTheWay, target);
        Optional<TargetDirectory> found = TargetDirectory.find(realRoot, target);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try (TargetDirectory directory = found.get()) {
            Optional<MountEntry> mounted = topAt(onTheWay, target);
            if (mounted.isEmpty()) {
                directory.requireFree();
            }
            return mounted;
        }
    }

    /** The mounts at the target and at directories that it lies in: all that decides what one finds there. */
    private List<MountEntry> onTheWayTo(Path target) {
        return mounts.select(entry -> entry.isAt(target) || entry.isAbove(target));
    }

    private static Optional<MountEntry> topAt(List<MountEntry> onTheWay, Path target) {
        return MountTable.top(
                onTheWay.stream().filter(entry -> entry.isAt(target)).toList());
    }

    /** A target in a volume would be the volume's, and looking at it could wait for its engine. */
    private void refuseInsideOfAnother(List<MountEntry> onTheWay, Path target) {
        for (MountEntry entry : onTheWay) {
            if (entry.isFuse() && entry.isBelow(realRoot) && !entry.isAt(target)) {
                throw new VolumeFailure(new NodeCause.TargetTaken(
                        target.toString(), "it lies inside of the mount at " + Printable.quoted(entry.mountPoint())));
            }
        }
    }

    /** What is mounted at the target and served. A dead mount of ours is taken away and counts as none. */
    public Optional<MountEntry> servedAt(Path target) {
        Optional<MountEntry> mounted = mountedAt(target);
        while (mounted.isPresent() && !isServed(target, mounted.get())) {
            if (!isDetached(target)) {
                throw new VolumeFailure(
                        new NodeCause.TargetBusy(target.toString(), "the dead mount there cannot be unmounted"));
            }
            mounted = mountedAt(target);
        }
        return mounted;
    }

    private boolean isDetached(Path target) {
        Optional<TargetDirectory> found = TargetDirectory.find(realRoot, target);
        if (found.isEmpty()) {
            return false;
        }
        try (TargetDirectory directory = found.get()) {
            return mounts.unmount(directory.parent(), directory.name(), Unmount.DETACH);
        }
    }

    private boolean isServed(Path target, MountEntry entry) {
        requireOurs(target, entry);
        return switch (mounts.pulse(target, entry.device(), PULSE_PATIENCE)) {
            case Pulse.Alive _ -> true;
            case Pulse.Silent _ ->
                throw new VolumeFailure(new NodeCause.EngineSilent(
                        target.toString(), "its engine did not answer within " + PULSE_PATIENCE.toSeconds() + " s"));
            case Pulse.Dead dead -> {
                LOG.warn("the mount at {} is dead and is taken away: {}", target, dead.problem());
                yield false;
            }
        };
    }

    private static void requireOurs(Path target, MountEntry entry) {
        if (!MountCalls.isOurs(entry)) {
            throw new VolumeFailure(new NodeCause.TargetTaken(
                    target.toString(),
                    "a file system of type " + Printable.quoted(entry.type())
                            + " that is not this driver's is mounted there"));
        }
    }

    /** Binds a source to a target, whose directory is made if need be. Whatever fails is taken back. */
    public void bind(Path source, Path target, boolean readOnly) {
        try (TargetDirectory directory = TargetDirectory.make(realRoot, target)) {
            try {
                mounts.bind(source, directory.parent(), directory.name(), readOnly);
            } catch (RuntimeException e) {
                directory.undo();
                throw e;
            }
        }
    }

    /** Makes a target read-only that a driver bound which was killed before it could. */
    public void makeReadOnly(Path target) {
        try (TargetDirectory directory = TargetDirectory.find(realRoot, target)
                .orElseThrow(() -> new VolumeFailure(new NodeCause.NotMounted(target.toString())))) {
            mounts.makeReadOnly(directory.parent(), directory.name());
        }
    }

    /** What is mounted at the target, for whoever wants to take it away. */
    public Optional<MountEntry> topAt(Path target) {
        return mounts.topAt(target);
    }

    /** Takes a target away: what is mounted there and its directory. What is no target of ours stays as it is. */
    public Optional<MountEntry> unbind(Path target) {
        List<MountEntry> onTheWay = onTheWayTo(target);
        refuseInsideOfAnother(onTheWay, target);
        Optional<TargetDirectory> reached = reach(target);
        if (reached.isEmpty()) {
            return Optional.empty();
        }
        try (TargetDirectory directory = reached.get()) {
            Optional<MountEntry> last = Optional.empty();
            for (Optional<MountEntry> top = topAt(onTheWay, target); top.isPresent(); top = mounts.topAt(target)) {
                last = top;
                unmount(directory, top.get());
            }
            directory.remove();
            return last;
        }
    }

    /** A way that leads elsewhere, or over something that is no directory, leads to no target of ours. */
    private Optional<TargetDirectory> reach(Path target) {
        try {
            return TargetDirectory.find(realRoot, target);
        } catch (VolumeFailure e) {
            if (e.reason() instanceof Cause.InvalidField || e.reason() instanceof NodeCause.TargetTaken) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private void unmount(TargetDirectory directory, MountEntry entry) {
        Path target = directory.path();
        requireOurs(target, entry);
        if (mounts.unmount(directory.parent(), directory.name(), Unmount.PLAIN)) {
            return;
        }
        // Whoever has files of a mount open that nobody serves cannot use them, and must not keep the pod from ending.
        // With an engine that hangs it may be ourselves: a look at the mount that was given up still waits in it.
        if (mounts.pulse(target, entry.device(), PULSE_PATIENCE) instanceof Pulse.Alive
                || !mounts.unmount(directory.parent(), directory.name(), Unmount.DETACH)) {
            throw new VolumeFailure(
                    new NodeCause.TargetBusy(target.toString(), "it cannot be unmounted while something uses it"));
        }
        LOG.warn("{} was unmounted while something used it, because its engine is dead or hangs", target);
    }
}
