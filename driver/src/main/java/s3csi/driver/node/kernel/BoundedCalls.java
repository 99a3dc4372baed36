package s3csi.driver.node.kernel;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import s3csi.volume.Cause;
import s3csi.volume.VolumeFailure;

/**
 * Calls that an engine may keep waiting: nothing interrupts a thread that waits in a FUSE mount. Each runs on a thread of its own that
 * is given up when the time is over. While such a call hangs, others of the same kind on the same subject wait for it instead of losing
 * more threads.
 */
public final class BoundedCalls {
    private final ConcurrentHashMap<String, CompletableFuture<Object>> running = new ConcurrentHashMap<>();

    /**
     * Runs the work and waits for its result; empty when the time is over. Calls with the same subject must be interchangeable.
     *
     * @param type of the result
     */
    public <T> Optional<T> call(String subject, Class<T> type, Duration patience, Callable<T> work) throws IOException {
        CompletableFuture<Object> result =
                running.compute(subject, (_, earlier) -> earlier == null ? start(subject, work) : earlier);
        try {
            return Optional.of(type.cast(result.get(patience.toNanos(), TimeUnit.NANOSECONDS)));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            // Only a driver that stops interrupts its calls. The flag stays down, so that what was begun can be taken
            // back.
            throw new VolumeFailure(new Cause.Stopping(), e);
        } catch (ExecutionException e) {
            throw rethrown(e.getCause());
        }
    }

    private <T> CompletableFuture<Object> start(String subject, Callable<T> work) {
        CompletableFuture<Object> result = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("bounded " + subject).start(() -> {
            try {
                T value = work.call();
                running.remove(subject, result);
                result.complete(value);
            } catch (Throwable e) {
                running.remove(subject, result);
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private static IOException rethrown(@Nullable Throwable cause) throws IOException {
        return switch (cause) {
            case IOException failure -> throw failure;
            case RuntimeException failure -> throw failure;
            case Error failure -> throw failure;
            case null, default -> new IOException("a call ended without result", cause);
        };
    }
}
