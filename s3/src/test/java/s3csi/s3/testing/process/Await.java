package s3csi.s3.testing.process;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waiting for something that happens in another process, which nobody can notify us of. */
public final class Await {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    private Await() {}

    /** Looks until the condition holds; after the deadline it fails with the message. */
    public static void until(Duration deadline, Supplier<String> message, BooleanSupplier condition) {
        long end = System.nanoTime() + deadline.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end >= 0) {
                throw new IllegalStateException(message.get());
            }
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted while waiting: " + message.get());
            }
        }
    }
}
