package s3csi.testbed.contender;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import s3csi.linux.LinuxException;
import s3csi.linux.MountTable;
import s3csi.linux.Mounts;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;

/** A bucket mounted by a contender, for as long as this is open. */
public final class EngineMount implements AutoCloseable {
    private static final Duration READY_WITHIN = Duration.ofSeconds(30);
    private static final Duration GONE_WITHIN = Duration.ofSeconds(20);
    private static final long BETWEEN_LOOKS = 1_000_000;

    private final Contender contender;
    private final Path home;
    private final Path directory;
    private final ChildProcess process;
    private final double startSeconds;

    private EngineMount(Contender contender, Wanted wanted) {
        this.contender = contender;
        this.home = Scratch.directory("mount");
        this.directory = home.resolve("bucket");
        try {
            Files.createDirectory(directory);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        long started = System.nanoTime();
        this.process = ChildProcess.start(
                contender.command(wanted, directory), contender.environment(wanted.keys()), home.resolve("engine.log"));
        try {
            awaitMount();
        } catch (RuntimeException failure) {
            close();
            throw failure;
        }
        this.startSeconds = (System.nanoTime() - started) / 1e9;
    }

    public static EngineMount of(Contender contender, Wanted wanted) {
        return new EngineMount(contender, wanted);
    }

    public Contender contender() {
        return contender;
    }

    public Path directory() {
        return directory;
    }

    public long pid() {
        return process.pid();
    }

    /** From starting the program to an answer of the mounted file system. */
    public double startSeconds() {
        return startSeconds;
    }

    /** Ends the engine as a crash would: whoever waits in the mount is set free. */
    public void kill() {
        process.kill();
    }

    public String story(String what) {
        return process.story(what);
    }

    @Override
    public void close() {
        try {
            if (isMounted()) {
                Mounts.unmount(directory, Mounts.Unmount.DETACH);
            }
        } catch (LinuxException failure) {
            // The directory's end below unmounts too, and complains if it cannot.
            System.err.println("s3csi bench: " + failure.getMessage());
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
        Bounded.run(READY_WITHIN, this::kill, "the first look at the mount", () -> Files.isDirectory(directory));
    }

    private boolean isMounted() {
        try {
            return MountTable.read().topAt(directory.toRealPath()).isPresent();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot tell what is mounted", failure);
        }
    }
}
