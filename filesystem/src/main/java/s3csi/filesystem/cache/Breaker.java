package s3csi.filesystem.cache;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Leaves a failing disk alone for a while, and says so once. For any number of threads. */
final class Breaker {
    private static final Logger LOG = LoggerFactory.getLogger(Breaker.class);
    private static final int PATIENCE = 8;
    private static final Duration REST = Duration.ofSeconds(30);

    private final String what;
    private final LongSupplier clock;
    private int failures;
    private long until;

    /** What is not done any more after failures: "read" or "written". */
    Breaker(String what, LongSupplier nanoClock) {
        this.what = what;
        clock = nanoClock;
        until = nanoClock.getAsLong();
    }

    synchronized boolean isResting() {
        return clock.getAsLong() - until < 0;
    }

    synchronized void succeeded() {
        failures = 0;
    }

    synchronized void failed(Exception cause) {
        LOG.debug("The disk cache failed; the data comes from the store instead.", cause);
        failures++;
        if (failures == PATIENCE) {
            failures = 0;
            until = clock.getAsLong() + REST.toNanos();
            LOG.warn(
                    "The disk cache could not be {} {} times in a row, the last time because of: {}. Reading goes on from the"
                            + " store; the disk is tried again in {} s. Check the disk that --cache names.",
                    what,
                    PATIENCE,
                    cause.toString(),
                    REST.toSeconds());
        }
    }
}
