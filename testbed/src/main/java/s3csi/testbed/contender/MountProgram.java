package s3csi.testbed.contender;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import s3csi.linux.LinuxException;
import s3csi.linux.MountTable;
import s3csi.linux.Mounts;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;

/** A program that runs for as long as this is open, and what it has mounted. */
public final class MountProgram implements AutoCloseable {
    private static final Duration READY_WITHIN = Duration.ofSeconds(60);
    private static final Duration GONE_WITHIN = Duration.ofSeconds(60);
    private static final long BETWEEN_LOOKS = 1_000_000;

    private final Path home;
    private final Path directory;
    /** As the mount table has it; found out once, because a mount whose engine is gone cannot be asked. */
    private final Path mountPoint;

    private final ChildProcess process;

    private MountProgram(Path home, List<String> command, Map<String, String> environment) {
        this.home = home;
        this.directory = directoryIn(home);
        try {
            this.mountPoint = Files.createDirectory(directory).toRealPath();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot prepare a mount", failure);
        }
        this.process = ChildProcess.start(command, environment, log());
        try {
            awaitMount();
        } catch (RuntimeException failure) {
            close();
            throw failure;
        }
    }

    /**
     * Returns when the mount answers.
     *
     * @param home a scratch directory, which is deleted at the end
     * @param command which mounts at {@link #directoryIn} the home
     */
    public static MountProgram start(Path home, List<String> command, Map<String, String> environment) {
        return new MountProgram(home, command, environment);
    }

    /** Where a program that has this home is to mount. */
    public static Path directoryIn(Path home) {
        return home.resolve("bucket");
    }

    public Path directory() {
        return directory;
    }

    /** All that the program says. */
    public Path log() {
        return home.resolve("engine.log");
    }

    public ChildProcess process() {
        return process;
    }

    @Override
    public void close() {
        try {
            if (isMounted()) {
                Mounts.unmount(directory, Mounts.Unmount.DETACH);
            }
        } catch (LinuxException failure) {
            // The directory's end below unmounts too, and complains if it cannot.
            System.err.println("s3csi testbed: " + failure.getMessage());
        }
        // An engine ends by itself when its mount is gone.
        if (!process.hasEndedWithin(GONE_WITHIN)) {
            process.terminate();
        }
        Scratch.delete(home);
    }

    private void awaitMount() {
        long end = System.nanoTime() + READY_WITHIN.toNanos();
        while (!isMounted()) {
            if (!process.isAlive()) {
                throw new IllegalStateException(process.story("ended before it had mounted anything"));
            }
            if (System.nanoTime() - end >= 0) {
                throw new IllegalStateException(process.story("has mounted nothing after " + READY_WITHIN));
            }
            LockSupport.parkNanos(BETWEEN_LOOKS);
        }
        // The first question is answered after INIT; a server that never does must not hold us.
        Bounded.run(READY_WITHIN, process::kill, "the first look at the mount", () -> Files.isDirectory(directory));
    }

    private boolean isMounted() {
        try {
            return MountTable.current().topAt(mountPoint).isPresent();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot tell what is mounted", failure);
        }
    }
}
