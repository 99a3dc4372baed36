package s3csi.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A process that {@link Spawn} started. A thread of its own waits for its end, so that it never stays a zombie. */
public final class ChildProcess {
    private static final CFunction WAITPID = CFunction.named("waitpid");

    private final int pid;
    private final CompletableFuture<ExitStatus> end = new CompletableFuture<>();

    ChildProcess(int pid) {
        this.pid = pid;
        Thread.ofPlatform().daemon().name("wait-" + pid).start(this::reap);
    }

    public int pid() {
        return pid;
    }

    public boolean isAlive() {
        return !end.isDone();
    }

    /** Waits for the end; empty when the time is over. */
    public Optional<ExitStatus> awaitEnd(Duration timeout) throws InterruptedException {
        try {
            return Optional.of(end.get(timeout.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException("cannot wait for process " + pid, e.getCause());
        }
    }

    /** Sends a signal, unless it has ended: then its number may be somebody else's. */
    public void signal(int signal) throws LinuxException {
        synchronized (end) {
            if (isAlive()) {
                Processes.kill(pid, signal);
            }
        }
    }

    private void reap() {
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment status = memory.allocate(JAVA_INT);
            // First wait without reaping, so that the number cannot be used again while signal() looks at it.
            WaitId.untilEnded(pid);
            synchronized (end) {
                Calls.check(
                        "waitpid",
                        "for " + pid,
                        (arena, captured) -> WAITPID.callInt(captured, pid, status.address(), 0));
                end.complete(ExitStatus.ofWaitStatus(status.get(JAVA_INT, 0)));
            }
        } catch (LinuxException | RuntimeException e) {
            end.completeExceptionally(e);
        }
    }
}
