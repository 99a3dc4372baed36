package s3csi.fuse.session;

import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Cancels the requests of processes that are being killed, and no others.
 *
 * <p>An interrupt says that the process which waits got a signal, but not which one. Most of them have nothing to do with the request: a child
 * ended, a timer ran out, a terminal was resized, the process was stopped and goes on. The kernel then waits for the answer, whatever it is,
 * and only a process that dies has no use for it. Whether it dies is asked of the kernel itself.
 *
 * <p>There is one interrupt for each request, for its first signal. So a request whose caller lives is looked at again and again until it
 * is answered. It cannot be mistaken: the kernel sends interrupts only for requests that a thread waits for, and this thread keeps its
 * number as long as it waits.
 */
final class Interrupts {
    /** How long somebody who kills a process waits for its end without wondering. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** More for each request that is watched: a look takes some 20 microseconds, so this keeps them to a few percent of a processor. */
    private static final long PAUSE_EACH_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** How often a request is looked for that is not found: another thread may have read it and not handed it over yet. */
    private static final int PATIENCE = 4;

    private final Connection connection;
    private final DelayQueue<Look> looks = new DelayQueue<>();
    private final AtomicBoolean isWatching = new AtomicBoolean();

    Interrupts(Connection connection) {
        this.connection = connection;
    }

    /** A look at a request that is due at some time. */
    private record Look(long unique, long due, int missesLeft) implements Delayed {
        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(due - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(due - ((Look) other).due, 0);
        }
    }

    /** An interrupt came. Does not wait. */
    void deliver(long unique) {
        looks.add(new Look(unique, System.nanoTime(), PATIENCE));
        if (isWatching.compareAndSet(false, true)) {
            Thread.ofVirtual().name("interrupts").start(this::watch);
        }
    }

    /** There is no thread while there is nothing to watch. */
    private void watch() {
        do {
            try {
                while (!looks.isEmpty()) {
                    look(looks.take());
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException("the watch over interrupted requests belongs to the session alone", e);
            } finally {
                isWatching.set(false);
            }
        } while (!looks.isEmpty() && isWatching.compareAndSet(false, true));
    }

    private void look(Look look) {
        @Nullable LaterAnswer answer = connection.pending.find(look.unique);
        if (answer == null) {
            if (look.missesLeft > 0) {
                again(look.unique, look.missesLeft - 1);
            }
            return;
        }
        if (answer.pid() == 0) {
            // The process cannot be seen from here, so its end cannot, either.
            return;
        }
        if (connection.device.isBeingKilled(answer.pid())) {
            connection.counters.cancelled.increment();
            answer.cancel();
        } else {
            again(look.unique, 0);
        }
    }

    private void again(long unique, int missesLeft) {
        long pause = PAUSE_NANOS + looks.size() * PAUSE_EACH_NANOS;
        looks.add(new Look(unique, System.nanoTime() + pause, missesLeft));
    }
}
