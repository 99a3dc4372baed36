package s3csi.filesystem.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting in tests for what another thread does. */
public final class Eventually {
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(1);

    private Eventually() {}

    public static void eventually(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("time until " + what).isLessThan(end);
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        }
    }
}
