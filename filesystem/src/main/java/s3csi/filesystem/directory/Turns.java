package s3csi.filesystem.directory;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which listings may have pages in memory. The names of a page take up to a megabyte of the heap, so only some listings have one at a
 * time; the others wait for their turn, in the order in which they came. A listing that needs its next page goes behind those that wait,
 * and one that no program has read from for a while is asked to let go of its page, which it fetches again later.
 */
public final class Turns {
    private static final long LOOK_FOR_IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    static final Duration IDLE = Duration.ofSeconds(1);

    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private final Deque<Waiter> waiting = new ArrayDeque<>();
    private final Set<Holder> holders = new LinkedHashSet<>();
    private int free;

    /** A listing that has a turn. */
    interface Holder {
        /** Gives the turn back if the listing was not read for some time. Must not wait. */
        void giveBackIfIdle();
    }

    private static final class Waiter {
        final Condition changed;
        boolean hasTurn;

        Waiter(Condition changed) {
            this.changed = changed;
        }
    }

    public Turns(int most) {
        this.free = most;
    }

    boolean hasWaiting() {
        return waiting() > 0;
    }

    /** How many wait. */
    int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a turn. */
    void take(Holder holder) throws InterruptedException {
        Waiter waiter;
        lock.lockInterruptibly();
        try {
            if (free > 0 && waiting.isEmpty()) {
                free--;
                holders.add(holder);
                return;
            }
            waiter = new Waiter(lock.newCondition());
            waiting.add(waiter);
        } finally {
            lock.unlock();
        }
        await(waiter, holder);
    }

    private void await(Waiter waiter, Holder holder) throws InterruptedException {
        while (true) {
            List<Holder> present;
            lock.lock();
            try {
                if (!waiter.hasTurn) {
                    waiter.changed.awaitNanos(LOOK_FOR_IDLE_NANOS);
                }
                if (waiter.hasTurn) {
                    holders.add(holder);
                    return;
                }
                present = List.copyOf(holders);
            } catch (InterruptedException e) {
                withdraw(waiter);
                throw e;
            } finally {
                lock.unlock();
            }
            present.forEach(Holder::giveBackIfIdle);
        }
    }

    private void withdraw(Waiter waiter) {
        waiting.remove(waiter);
        if (waiter.hasTurn) {
            handOn();
        }
    }

    void giveBack(Holder holder) {
        lock.lock();
        try {
            if (holders.remove(holder)) {
                handOn();
            }
        } finally {
            lock.unlock();
        }
    }

    private void handOn() {
        Waiter next = waiting.poll();
        if (next == null) {
            free++;
        } else {
            next.hasTurn = true;
            next.changed.signal();
        }
    }
}
