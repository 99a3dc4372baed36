package s3csi.s3.testing.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A program that runs beside us with its output in a log file, and dies with us even when we are killed. */
public final class ChildProcess implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final int TAIL_LINES = 40;

    // The kernel sends the parent-death signal when the thread that made the child ends, not the process. So one thread
    // makes all children, and it lives as long as the JVM.
    private static final ExecutorService SPAWNER = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("child-spawner").daemon().factory());

    private static final Set<ChildProcess> ALIVE = ConcurrentHashMap.newKeySet();

    static {
        LastRites.beforeExit(LastRites.Order.CHILDREN, () -> ALIVE.forEach(ChildProcess::kill));
    }

    private final Process process;
    private final List<String> command;
    private final Path log;

    private ChildProcess(Process process, List<String> command, Path log) {
        this.process = process;
        this.command = command;
        this.log = log;
    }

    /**
     * Starts a program.
     *
     * @param environment all that the program sees: nothing is inherited but PATH
     * @param log takes what it prints, after what is there already
     */
    public static ChildProcess start(List<String> command, Map<String, String> environment, Path log) {
        // A shell without job control starts what is in its background with some signals ignored, and that is
        // inherited. Ctrl-C is for us alone: a program that heard it, too, could fail under us before we know why.
        List<String> tied = new ArrayList<>(List.of(
                Tools.installed("setpriv", "util-linux").toString(),
                "--pdeathsig",
                "KILL",
                "--",
                Tools.installed("setsid", "util-linux").toString(),
                Tools.installed("env", "coreutils").toString(),
                "--default-signal"));
        tied.addAll(command);
        var builder = new ProcessBuilder(tied)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        String path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
        builder.environment().clear();
        builder.environment().put("PATH", path);
        builder.environment().putAll(environment);
        var child = new ChildProcess(spawn(builder::start), List.copyOf(command), log);
        ALIVE.add(child);
        return child;
    }

    /** Runs a program to its end; anything but exit code 0 is an error that shows what it printed. */
    public static void run(List<String> command, Map<String, String> environment, Path log, Duration deadline) {
        try (var child = start(command, environment, log)) {
            if (!child.hasEndedWithin(deadline)) {
                throw new IllegalStateException(child.story("is still running after " + deadline));
            }
            if (child.process.exitValue() != 0) {
                throw new IllegalStateException(child.story("failed"));
            }
        }
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public int exitCode() {
        return process.exitValue();
    }

    /** Waits for the end of the program; tells whether it came in time. */
    public boolean hasEndedWithin(Duration deadline) {
        try {
            boolean hasEnded = process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS);
            if (hasEnded) {
                ALIVE.remove(this);
            }
            return hasEnded;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return !process.isAlive();
        }
    }

    /** Asks the program to end, and ends it by force when it does not. */
    public void terminate() {
        process.destroy();
        if (!hasEndedWithin(GRACE)) {
            kill();
        }
    }

    /** Asks the program to end and returns its exit code; one that takes longer is an error. */
    public int terminateWithin(Duration deadline) {
        process.destroy();
        if (!hasEndedWithin(deadline)) {
            throw new IllegalStateException(story("has not ended " + deadline + " after it was asked to"));
        }
        return process.exitValue();
    }

    /** Ends the program as a crash would. */
    public void kill() {
        process.destroyForcibly();
        if (!hasEndedWithin(GRACE)) {
            throw new IllegalStateException(story("does not die of SIGKILL within " + GRACE));
        }
    }

    /** A sentence about the program with the end of its log, for a message. */
    public String story(String what) {
        String exit = process.isAlive() ? "" : " (exit code " + process.exitValue() + ")";
        return "%s %s%s; the end of what it printed:%n%s"
                .formatted(Path.of(command.getFirst()).getFileName(), what, exit, tail(log));
    }

    @Override
    public void close() {
        terminate();
    }

    private static String tail(Path log) {
        try {
            List<String> lines = Files.readString(log).lines().toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
        } catch (IOException unreadable) {
            return "(the log cannot be read: " + unreadable + ")";
        }
    }

    private static Process spawn(Callable<Process> start) {
        try {
            return SPAWNER.submit(start).get();
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof IOException cause) {
                throw new UncheckedIOException("cannot start a program", cause);
            }
            throw new IllegalStateException("cannot start a program", failure.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while starting a program", interrupted);
        }
    }
}
