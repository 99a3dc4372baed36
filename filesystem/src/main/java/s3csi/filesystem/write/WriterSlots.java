package s3csi.filesystem.write;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.failure.FileFailure;
import s3csi.filesystem.memory.BufferPool;

/**
 * Who may fill memory. A file keeps the bytes of a part until the part can be sent, so writers that all hold a little and wait for more
 * would wait for each other for ever. Hence every file has a {@link Claim} before it takes memory: to a few buffers of a share that
 * is for small files, or to a whole part. All claims together are less than writers may have, and whoever fills a whole part
 * sends it and gives its claim back, so that all take turns, in the order in which they came.
 *
 * <p>What is on its way to the store needs no claim: that memory comes back whatever writers do.
 */
final class WriterSlots {
    /** Up to so many buffers a file takes from the share of small files. */
    static final int SMALL = 8;

    /**
     * Three sixteenths of the memory for data are for small files: with the largest part that fits, and the sixteenth that reads have
     * for themselves, that is all of it.
     */
    private static final int SHARE_OF_SMALL = 3;

    private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

    /** How many parts may be filled at the same time. */
    private final int most;

    private final Duration patience;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private final ArrayDeque<Turn> waiting = new ArrayDeque<>();
    private int parts;
    private int shared;
    private int atWork;
    private long lastGiven = System.nanoTime();

    private WriterSlots(int parts, int shared, Duration patience) {
        this.most = parts;
        this.parts = parts;
        this.shared = shared;
        this.patience = patience;
    }

    static WriterSlots forPool(BufferPool pool, UploadSettings settings) {
        long partSize = settings.partSize();
        long most = Uploads.largestPart(pool.budget());
        if (partSize > most) {
            throw new IllegalArgumentException("parts of " + partSize + " bytes do not fit into a memory budget of "
                    + pool.budget() + " bytes; choose a smaller write part size or more memory");
        }
        int parts = BufferPool.buffersFor(most) / BufferPool.buffersFor(partSize);
        long shared = pool.mostForData() / BufferPool.BUFFER_SIZE * SHARE_OF_SMALL / 16;
        return new WriterSlots(parts, Math.toIntExact(shared), settings.patience());
    }

    /** Buffers of the share of small files, if they are there. */
    boolean tryShare(int buffers) {
        lock.lock();
        try {
            boolean isThere = shared >= buffers;
            shared -= isThere ? buffers : 0;
            return isThere;
        } finally {
            lock.unlock();
        }
    }

    void giveShared(int buffers) {
        lock.lock();
        try {
            shared += buffers;
        } finally {
            lock.unlock();
        }
    }

    boolean tryTakePart() {
        lock.lock();
        try {
            return takePartIfFirst();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a turn. As long as those who have one are at work, it will come; if they all are idle it may not. */
    void takePart() throws FileException, InterruptedException {
        lock.lockInterruptibly();
        try {
            if (!takePartIfFirst()) {
                Turn turn = new Turn(lock.newCondition());
                waiting.add(turn);
                await(turn);
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean takePartIfFirst() {
        boolean isThere = waiting.isEmpty() && parts > 0;
        parts -= isThere ? 1 : 0;
        return isThere;
    }

    private static final class Turn {
        final Condition changed;
        boolean hasCome;

        Turn(Condition changed) {
            this.changed = changed;
        }
    }

    private void await(Turn turn) throws FileException, InterruptedException {
        boolean isTaken = false;
        try {
            long stillSince = System.nanoTime();
            while (!turn.hasCome) {
                turn.changed.awaitNanos(LOOK_AGAIN.toNanos());
                if (atWork > 0 || lastGiven - stillSince > 0) {
                    stillSince = System.nanoTime();
                } else if (!turn.hasCome && System.nanoTime() - stillSince > patience.toNanos()) {
                    throw new FileException(
                            new FileFailure.TooManyWriters(),
                            "all memory for parts that are being filled, " + most
                                    + " at a time, belongs to open files that no"
                                    + " program writes to; close some of these, raise --memory-target or lower --write-part-size");
                }
            }
            isTaken = true;
        } finally {
            if (!isTaken) {
                waiting.remove(turn);
                if (turn.hasCome) {
                    returned();
                }
            }
        }
    }

    void givePart() {
        lock.lock();
        try {
            returned();
        } finally {
            lock.unlock();
        }
    }

    private void returned() {
        lastGiven = System.nanoTime();
        Turn next = waiting.poll();
        if (next == null) {
            parts++;
        } else {
            next.hasCome = true;
            next.changed.signal();
        }
    }

    /** Somebody who has the claim to a part does something with it, which ends. */
    void begins() {
        work(1);
    }

    void ends() {
        work(-1);
    }

    private void work(int change) {
        lock.lock();
        try {
            atWork += change;
        } finally {
            lock.unlock();
        }
    }

    /** How many wait; for tests. */
    int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** Nobody has a claim, so all can be had: parts and buffers of the share. */
    record Left(int parts, int shared, int atWork) {}

    Left left() {
        lock.lock();
        try {
            return new Left(parts, shared, atWork);
        } finally {
            lock.unlock();
        }
    }
}
