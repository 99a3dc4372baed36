package s3csi.driver.node.source;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import s3csi.driver.node.kernel.Deadline;
import s3csi.volume.Cause;
import s3csi.volume.VolumeFailure;

/** One lock for each source, as long as somebody has it or waits for it. */
public final class SourceLocks {
    private final Map<String, Counted> locks = new HashMap<>();

    private static final class Counted {
        private final ReentrantLock lock = new ReentrantLock();
        private int users;
    }

    /** A lock that is held; closing gives it back. */
    public interface Held extends AutoCloseable {
        @Override
        void close();
    }

    /** Waits for the lock, but not beyond the deadline. */
    public Held take(String source, Deadline deadline) {
        return tryTake(source, deadline).orElseThrow(() -> new VolumeFailure(new Cause.OperationPending(source)));
    }

    /** The lock, if it can be had before the deadline. */
    public Optional<Held> tryTake(String source, Deadline deadline) {
        Counted counted = enter(source);
        try {
            if (counted.lock.tryLock(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
                return Optional.of(() -> {
                    counted.lock.unlock();
                    leave(source, counted);
                });
            }
            leave(source, counted);
            return Optional.empty();
        } catch (InterruptedException e) {
            leave(source, counted);
            throw new VolumeFailure(new Cause.Stopping(), e);
        }
    }

    private synchronized Counted enter(String source) {
        Counted counted = locks.computeIfAbsent(source, _ -> new Counted());
        counted.users++;
        return counted;
    }

    private synchronized void leave(String source, Counted counted) {
        if (--counted.users == 0) {
            locks.remove(source);
        }
    }

    /** How many have the lock of a source or wait for it; for tests. */
    public synchronized int users(String source) {
        Counted counted = locks.get(source);
        return counted == null ? 0 : counted.users;
    }

    synchronized int count() {
        return locks.size();
    }
}
