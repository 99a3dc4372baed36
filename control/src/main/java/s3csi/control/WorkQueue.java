package s3csi.control;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * What waits to be done. Each thing is there once, however often it was asked for, and is never given to two threads: what is asked for while
 * it is being done comes again afterwards.
 */
public final class WorkQueue<T> {
    /** Something for later. It counts only while {@link #due} has the same time for it. */
    private record Later<T>(T item, long time) {}

    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Since when each has been waiting; the longest first. */
    private final Map<T, Long> ready = new LinkedHashMap<>();

    private final Map<T, Long> due = new HashMap<>();
    private final PriorityQueue<Later<T>> later;

    /** Since when each has been worked on. */
    private final Map<T, Long> taken = new HashMap<>();

    private final Set<T> again = new HashSet<>();

    public WorkQueue(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        long origin = nanoTime.getAsLong();
        later = new PriorityQueue<>(Comparator.comparingLong(entry -> entry.time() - origin));
    }

    public void add(T item) {
        lock.lock();
        try {
            due.remove(item);
            if (taken.containsKey(item)) {
                again.add(item);
            } else {
                ready.putIfAbsent(item, nanoTime.getAsLong());
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** After a while, or when it is asked for before. */
    public void addAfter(T item, Duration delay) {
        lock.lock();
        try {
            long time = nanoTime.getAsLong() + delay.toNanos();
            Long earlier = due.get(item);
            if (ready.containsKey(item) || again.contains(item) || (earlier != null && earlier - time <= 0)) {
                return;
            }
            due.put(item, time);
            later.add(new Later<>(item, time));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The next one. The caller says {@link #done} when it is. */
    public T take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (true) {
                long now = nanoTime.getAsLong();
                promote(now);
                var next = ready.keySet().iterator();
                if (next.hasNext()) {
                    T item = next.next();
                    next.remove();
                    taken.put(item, now);
                    return item;
                }
                Later<T> first = later.peek();
                if (first == null) {
                    changed.await();
                } else {
                    long _ = changed.awaitNanos(first.time() - now);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void promote(long now) {
        for (Later<T> first = later.peek(); first != null && first.time() - now <= 0; first = later.peek()) {
            later.remove();
            if (due.remove(first.item(), first.time())) {
                if (taken.containsKey(first.item())) {
                    again.add(first.item());
                } else {
                    ready.putIfAbsent(first.item(), now);
                }
            }
        }
    }

    public void done(T item) {
        lock.lock();
        try {
            taken.remove(item);
            if (again.remove(item)) {
                ready.putIfAbsent(item, nanoTime.getAsLong());
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many wait to be done now. */
    public int depth() {
        lock.lock();
        try {
            return ready.size();
        } finally {
            lock.unlock();
        }
    }

    /** How long a thread has been working on the subject that takes longest; zero if there is none. */
    public Duration longestWork() {
        lock.lock();
        try {
            long now = nanoTime.getAsLong();
            return Duration.ofNanos(taken.values().stream()
                    .mapToLong(since -> now - since)
                    .max()
                    .orElse(0));
        } finally {
            lock.unlock();
        }
    }

    /** How long the oldest has been waiting or worked on; zero if there is none. */
    public Duration age() {
        lock.lock();
        try {
            long now = nanoTime.getAsLong();
            long oldest = 0;
            for (long since : ready.values()) {
                oldest = Math.max(oldest, now - since);
                break;
            }
            for (long since : taken.values()) {
                oldest = Math.max(oldest, now - since);
            }
            return Duration.ofNanos(oldest);
        } finally {
            lock.unlock();
        }
    }
}
