package s3csi.mounter.metrics;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Something that is done again and again and once more at the end, on a thread of its own. Not a virtual one: what is done may look up
 * a name, and that would take one of the few carriers from the file system.
 */
public final class Periodic {
    private final Duration period;
    private final Runnable work;
    private final CountDownLatch ending = new CountDownLatch(1);
    private final Thread thread;

    public Periodic(String name, Duration period, Runnable work) {
        this.period = period;
        this.work = work;
        this.thread = Thread.ofPlatform().name(name).daemon().unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    private void run() {
        try {
            boolean isLast = false;
            while (!isLast) {
                isLast = ending.await(period.toMillis(), TimeUnit.MILLISECONDS);
                work.run();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Has it done for the last time; false if that took longer than the patience allows, and still goes on. */
    public boolean end(Duration patience) {
        ending.countDown();
        try {
            return thread.join(patience);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
