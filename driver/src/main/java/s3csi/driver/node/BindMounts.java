package s3csi.driver.node;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.linux.Errno;
import s3csi.linux.FileStatus;
import s3csi.linux.LinuxException;
import s3csi.linux.MountEntry;
import s3csi.linux.Mounts.Unmount;
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
final class BindMounts {
    private static final Logger LOG = LoggerFactory.getLogger(BindMounts.class);
    private static final Duration PULSE_PATIENCE = Duration.ofSeconds(5);

    private static final FileAttribute<Set<PosixFilePermission>> MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x"));

    private final MountCalls mounts;
    private final Path givenRoot;
    private final Path realRoot;

    BindMounts(MountCalls mounts, Path root) throws IOException {
        this.mounts = mounts;
        this.givenRoot = root.toAbsolutePath().normalize();
        this.realRoot = root.toRealPath();
    }

    /** The path as the mount table writes it. */
    Path resolve(TargetPath target) {
        if (target.isBelow(realRoot.toString())) {
            return Path.of(target.text());
        }
        target.requireBelow(givenRoot.toString());
        return realRoot.resolve(givenRoot.relativize(Path.of(target.text())));
    }

    /** What is mounted at the target. A way there that leads elsewhere, or a target that is no directory, is refused. */
    private Optional<MountEntry> mountedAt(Path target) {
        List<MountEntry> table = mounts.table();
        refuseInsideOfAnother(table, target);
        for (Path step : stepsTo(target)) {
            if (!isDirectory(step)) {
                return Optional.empty();
            }
        }
        Optional<MountEntry> mounted = topAt(table, target);
        if (mounted.isEmpty()) {
            isDirectory(target);
        }
        return mounted;
    }

    /** The directories between the root and the target. */
    private List<Path> stepsTo(Path target) {
        List<Path> steps = new ArrayList<>();
        for (Path step = target.getParent(); step != null && !step.equals(realRoot); step = step.getParent()) {
            steps.addFirst(step);
        }
        return steps;
    }

    private static Optional<MountEntry> topAt(List<MountEntry> table, Path target) {
        return table.stream().filter(entry -> entry.isAt(target)).reduce((_, later) -> later);
    }

    /** A target in a volume would be the volume's, and looking at it could wait for its engine. */
    private void refuseInsideOfAnother(List<MountEntry> table, Path target) {
        for (MountEntry entry : table) {
            if (entry.isFuse()
                    && entry.isBelow(realRoot)
                    && target.startsWith(entry.mountPoint())
                    && !entry.isAt(target)) {
                throw new VolumeFailure(new NodeCause.TargetTaken(
                        target.toString(), "it lies inside of the mount at " + Printable.quoted(entry.mountPoint())));
            }
        }
    }

    /** Whether the directory is there; anything else of that name is refused. */
    private static boolean isDirectory(Path path) {
        try {
            FileStatus status = FileStatus.of(path);
            if (status.isSymbolicLink()) {
                throw VolumeFailure.invalid(
                        "target_path",
                        Printable.quoted(path.toString()) + " is a symbolic link",
                        "Use a path without symbolic links");
            }
            if (!status.isDirectory()) {
                throw new VolumeFailure(new NodeCause.TargetTaken(path.toString(), "there is " + status.kind()));
            }
            return true;
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return false;
            }
            throw NodeFailures.of("look at " + path, e);
        }
    }

    /** What is mounted at the target and served. A dead mount of ours is taken away and counts as none. */
    Optional<MountEntry> servedAt(Path target) {
        Optional<MountEntry> mounted = mountedAt(target);
        while (mounted.isPresent() && !isServed(target, mounted.get())) {
            if (!mounts.unmount(target, Unmount.DETACH)) {
                throw new VolumeFailure(
                        new NodeCause.TargetBusy(target.toString(), "the dead mount there cannot be unmounted"));
            }
            mounted = mountedAt(target);
        }
        return mounted;
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
    void bind(MountedSource source, Path target, boolean readOnly) {
        Deque<Path> made = new ArrayDeque<>();
        try {
            makeDirectories(target, made);
            mounts.bind(source.path(), target, readOnly);
        } catch (RuntimeException e) {
            made.forEach(BindMounts::removeEmpty);
            throw e;
        }
    }

    private void makeDirectories(Path target, Deque<Path> made) {
        List<Path> steps = stepsTo(target);
        steps.addLast(target);
        for (Path step : steps) {
            try {
                // Looked at first, because most of them are there and may be on a file system where making is refused.
                if (!isDirectory(step)) {
                    Files.createDirectory(step, MODE);
                    made.push(step);
                }
            } catch (FileAlreadyExistsException e) {
                isDirectory(step);
            } catch (IOException e) {
                throw NodeFailures.of("make the directory " + step, e);
            }
        }
    }

    /** Takes a target away: what is mounted there and its directory. What is no target of ours stays as it is. */
    Optional<MountEntry> unbind(Path target) {
        List<MountEntry> table = mounts.table();
        refuseInsideOfAnother(table, target);
        if (!stepsTo(target).stream().allMatch(step -> Files.isDirectory(step, LinkOption.NOFOLLOW_LINKS))) {
            return Optional.empty();
        }
        Optional<MountEntry> last = Optional.empty();
        for (Optional<MountEntry> top = topAt(table, target); top.isPresent(); top = mounts.topAt(target)) {
            last = top;
            unmount(target, top.get());
        }
        if (Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
            removeEmpty(target);
        }
        return last;
    }

    private void unmount(Path target, MountEntry entry) {
        requireOurs(target, entry);
        if (mounts.unmount(target, Unmount.PLAIN)) {
            return;
        }
        // Whoever has files of a mount open that nobody serves cannot use them, and must not keep the pod from ending.
        // With an engine that hangs it may be ourselves: a look at the mount that was given up still waits in it.
        if (mounts.pulse(target, entry.device(), PULSE_PATIENCE) instanceof Pulse.Alive
                || !mounts.unmount(target, Unmount.DETACH)) {
            throw new VolumeFailure(
                    new NodeCause.TargetBusy(target.toString(), "it cannot be unmounted while something uses it"));
        }
        LOG.warn("{} was unmounted while something used it, because its engine is dead or hangs", target);
    }

    private static void removeEmpty(Path directory) {
        try {
            Files.deleteIfExists(directory);
        } catch (DirectoryNotEmptyException e) {
            LOG.warn("{} is left as it is: somebody put files there", directory);
        } catch (IOException e) {
            throw NodeFailures.of("remove the directory " + directory, e);
        }
    }
}
