package s3csi.fuse.session;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for something to become true, with a deadline. */
final class Await {
    private Await() {}

    static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + Mounted.LONG.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("waited " + Mounted.LONG + " in vain: " + what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
