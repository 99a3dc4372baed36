package s3csi.reconciler.release;

import java.time.Duration;
import java.util.function.Supplier;

/** A wait for others that ends. They are looked at again and again: a watch would need more rights, and is not worth its while. */
final class Patience {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

    private final long end;

    Patience(Duration patience) {
        end = System.nanoTime() + patience.toNanos();
    }

    /** Waits a moment, and tells whether there was one left. */
    boolean lasts() throws InterruptedException {
        if (System.nanoTime() - end >= 0) {
            return false;
        }
        Thread.sleep(BETWEEN_LOOKS);
        return true;
    }

    void orRefuse(Supplier<String> why) throws InterruptedException {
        if (!lasts()) {
            throw new Refused(why.get());
        }
    }
}
