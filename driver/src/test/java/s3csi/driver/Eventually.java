package s3csi.driver;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting for what another thread does in its own time. */
public final class Eventually {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(2);

    private Eventually() {}

    public static void until(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + LONG.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end >= 0) {
                throw new AssertionError("not within " + LONG.toSeconds() + " s: " + what);
            }
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        }
    }
}
