package s3csi.testbed.contender;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Work inside a mount: whoever waits there cannot be interrupted, only set free by the end of the engine. */
public final class Bounded {
    private Bounded() {}

    /** Does the work on a thread of its own; after the deadline it calls {@code setFree} and fails. */
    public static <T> T run(Duration deadline, Runnable setFree, String what, Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofPlatform().name("bench-" + what).daemon().start(task);
        try {
            return task.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            setFree.run();
            throw new IllegalStateException(what + " has not ended after " + deadline, late);
        } catch (ExecutionException failure) {
            throw new IllegalStateException(what + " failed: " + failure.getCause(), failure.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            setFree.run();
            throw new IllegalStateException("interrupted during " + what, interrupted);
        }
    }
}
