package s3csi.driver.node.target;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.driver.node.kernel.NodeFailures;
import s3csi.linux.Descriptor;
import s3csi.linux.Directory;
import s3csi.linux.Errno;
import s3csi.linux.FileFlags;
import s3csi.linux.FileStatus;
import s3csi.linux.LinuxException;
import s3csi.volume.NodeCause;
import s3csi.volume.Printable;
import s3csi.volume.VolumeFailure;

/**
 * The name of a target in a directory that is open. The way there was gone from the root, one open directory after the other: no
 * symbolic link was followed, and what is done with the name is done there, whatever happens to the path meanwhile.
 */
final class TargetDirectory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TargetDirectory.class);
    private static final int MODE = 0755;

    private final Deque<Directory> way = new ArrayDeque<>();
    private final Deque<Runnable> undoing = new ArrayDeque<>();
    private final String name;

    private TargetDirectory(String name) {
        this.name = name;
    }

    /** The target; empty if a directory on the way is missing. What is on the way and is no directory is refused. */
    static Optional<TargetDirectory> find(Path root, Path target) {
        TargetDirectory found = new TargetDirectory(String.valueOf(target.getFileName()));
        try {
            found.begin(root);
            for (String next : names(root, target)) {
                Optional<Directory> opened = open(found.parent(), next);
                if (opened.isEmpty()) {
                    found.close();
                    return Optional.empty();
                }
                found.way.addLast(opened.get());
            }
            return Optional.of(found);
        } catch (RuntimeException e) {
            found.close();
            throw e;
        }
    }

    /** The target, which is made, with all on the way, where it is missing. */
    static TargetDirectory make(Path root, Path target) {
        TargetDirectory made = new TargetDirectory(String.valueOf(target.getFileName()));
        try {
            made.begin(root);
            for (String next : names(root, target)) {
                made.way.addLast(made.openOrMake(next));
            }
            made.openOrMake(made.name).close();
            return made;
        } catch (RuntimeException e) {
            made.undo();
            made.close();
            throw e;
        }
    }

    private void begin(Path root) {
        try {
            way.addLast(Directory.at(root));
        } catch (LinuxException e) {
            throw NodeFailures.of("open " + root, e);
        }
    }

    /** Those of the directories between the root and the target. */
    private static List<String> names(Path root, Path target) {
        List<String> names = new ArrayList<>();
        root.relativize(target).forEach(name -> names.add(name.toString()));
        names.removeLast();
        return names;
    }

    private static Optional<Directory> open(Directory above, String name) {
        try {
            return Optional.of(above.directory(name));
        } catch (LinuxException e) {
            Path path = above.path().resolve(name);
            return switch (e.errno()) {
                case Errno.ENOENT -> Optional.empty();
                case Errno.ELOOP ->
                    throw VolumeFailure.invalid(
                            "target_path",
                            Printable.quoted(path.toString()) + " is a symbolic link",
                            "Use a path without symbolic links");
                case Errno.ENOTDIR ->
                    throw new VolumeFailure(
                            new NodeCause.TargetTaken(path.toString(), "there is " + kindOf(above, name)), e);
                default -> throw NodeFailures.of("look at " + path, e);
            };
        }
    }

    private static String kindOf(Directory above, String name) {
        try (Descriptor file = above.open(name, FileFlags.O_PATH, 0)) {
            return FileStatus.of(file).kind();
        } catch (LinuxException e) {
            return "something else than a directory: " + e.getMessage();
        }
    }

    private Directory openOrMake(String next) {
        Directory above = parent();
        return open(above, next).orElseGet(() -> {
            try {
                above.makeDirectory(next, MODE);
                undoing.push(() -> removeEmpty(above, next));
            } catch (LinuxException e) {
                // Somebody was faster, which is as good.
                if (e.errno() != Errno.EEXIST) {
                    throw NodeFailures.of("make the directory " + above.path().resolve(next), e);
                }
            }
            return open(above, next)
                    .orElseThrow(() -> new VolumeFailure(new NodeCause.TargetBusy(
                            above.path().resolve(next).toString(), "something removes it while it is made")));
        });
    }

    Directory parent() {
        return way.getLast();
    }

    String name() {
        return name;
    }

    Path path() {
        return parent().path().resolve(name);
    }

    /** Looks at the target itself, on which nothing may be mounted: it is a directory or nothing. */
    void requireFree() {
        open(parent(), name).ifPresent(Directory::close);
    }

    /** Removes what was made. */
    void undo() {
        undoing.forEach(Runnable::run);
    }

    /** Removes the target if it is an empty directory; what else is there stays. */
    void remove() {
        removeEmpty(parent(), name);
    }

    private static void removeEmpty(Directory above, String name) {
        Path path = above.path().resolve(name);
        try {
            above.removeDirectoryIfPresent(name);
        } catch (LinuxException e) {
            switch (e.errno()) {
                case Errno.ENOTEMPTY, Errno.EEXIST ->
                    LOG.warn("{} is left as it is: there are files that the driver did not put there", path);
                case Errno.ENOTDIR -> LOG.debug("{} is left as it is: it is no directory", path);
                default -> throw NodeFailures.of("remove the directory " + path, e);
            }
        }
    }

    @Override
    public void close() {
        way.reversed().forEach(Directory::close);
    }
}
