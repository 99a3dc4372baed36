package s3csi.fuse.session;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The requests that were handed over and are not answered yet, by their numbers. */
final class PendingRequests {
    private final ConcurrentHashMap<Long, LaterAnswer> byUnique = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition empty = lock.newCondition();

    void add(LaterAnswer answer) {
        byUnique.put(answer.unique(), answer);
    }

    void remove(LaterAnswer answer) {
        byUnique.remove(answer.unique(), answer);
        if (byUnique.isEmpty()) {
            lock.lock();
            try {
                empty.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    @Nullable
    LaterAnswer find(long unique) {
        return byUnique.get(unique);
    }

    List<LaterAnswer> all() {
        return List.copyOf(byUnique.values());
    }

    int size() {
        return byUnique.size();
    }

    /** Waits until all are answered, or the time is over. */
    void awaitEmpty(Duration timeout) throws InterruptedException {
        long left = timeout.toNanos();
        lock.lock();
        try {
            while (!byUnique.isEmpty() && left > 0) {
                // Bounded, as a request may be added and removed between the look and the wait.
                long wait = Math.min(left, TimeUnit.MILLISECONDS.toNanos(50));
                left -= wait - Math.max(0, empty.awaitNanos(wait));
            }
        } finally {
            lock.unlock();
        }
    }
}
