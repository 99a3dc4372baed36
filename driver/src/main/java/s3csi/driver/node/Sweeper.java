package s3csi.driver.node;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Cleans up at the start and then again and again, on a thread of its own. */
public final class Sweeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
    private static final Duration PERIOD = Duration.ofMinutes(2);

    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Runnable sweep;
    private final Duration period;

    public Sweeper(Runnable sweep) {
        this(sweep, PERIOD);
    }

    Sweeper(Runnable sweep, Duration period) {
        this.sweep = sweep;
        this.period = period;
        Thread.ofPlatform().daemon().name("sweeper").start(this::run);
    }

    private void run() {
        try {
            do {
                sweepOnce();
            } while (!stopped.await(period.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            LOG.debug("the sweeper ends", e);
        }
    }

    /** What goes wrong once may work the next time. */
    private void sweepOnce() {
        try {
            sweep.run();
        } catch (RuntimeException | OutOfMemoryError e) {
            LOG.warn("cannot clean up now; trying again in {} s", period.toSeconds(), e);
        }
    }

    @Override
    public void close() {
        stopped.countDown();
    }
}
