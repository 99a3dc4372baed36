package s3csi.driver.cluster;

import java.time.Duration;

/** That something is different from before, for all who wait for that. */
public final class Changes {
    private long count;

    /** How many there have been; what one looks at after this may be changed by the next. */
    public synchronized long count() {
        return count;
    }

    synchronized void happened() {
        count++;
        notifyAll();
    }

    /** Waits for one more than these, but not longer than that. */
    public synchronized void awaitAfter(long known, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (count == known) {
            long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
            if (left <= 0) {
                return;
            }
            wait(left);
        }
    }
}
