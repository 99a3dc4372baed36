package s3csi.filesystem.read;

import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.memory.Pressure;
import s3csi.fuse.DataReply;
import s3csi.s3.ObjectStore;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;

/**
 * One open file: the bytes of one version of an object. One for each open handle; any number of reads at the same time.
 *
 * <p>A read clips at the end of the object and answers the reply exactly once, unless it throws or returns false: then the reply
 * is untouched and still the caller's.
 */
public final class ObjectReader implements AutoCloseable {
    /** The lock is held for some hundred instructions at a time: worth a short look, not a wait. */
    private static final int LOOKS = 64;

    private static final ThreadLocal<Pins> PINS_OF_DEVICE_THREAD = ThreadLocal.withInitial(Pins::new);

    private final Readers readers;
    private final ObjectVersion version;
    private final ReentrantLock lock = new ReentrantLock();
    private final Fetches fetches = new Fetches();
    private final Cursors cursors = new Cursors();
    private final Demands demands = new Demands();
    private final Plan plan;
    private int streams;
    private boolean closed;
    private volatile long lastNanos = System.nanoTime();

    ObjectReader(Readers readers, ObjectVersion version) {
        this.readers = readers;
        this.version = version;
        this.plan = new Plan(this, readers, fetches);
    }

    public ObjectVersion version() {
        return version;
    }

    /** Answers if all of the bytes are in memory. Never waits and allocates nothing: for device threads. */
    public boolean readNow(long offset, int size, DataReply reply) {
        long end = clip(offset, size);
        if (end <= offset) {
            reply.send();
            return true;
        }
        Pins pins = PINS_OF_DEVICE_THREAD.get();
        if (!lockSoon()) {
            return false;
        }
        try {
            if (!fetches.pin(offset, end, pins)) {
                return false;
            }
            Cursor cursor = cursors.find(offset);
            if (cursor != null) {
                served(cursor, offset, end, false);
            }
        } finally {
            lock.unlock();
        }
        try {
            pins.sendTo(reply);
        } finally {
            pins.release();
        }
        return true;
    }

    /**
     * Answers, waiting for the store as needed. For virtual threads. An interrupt ends the wait, and a fetch that nobody else
     * waits for.
     */
    public void read(long offset, int size, DataReply reply) throws StoreException, InterruptedException {
        long end = clip(offset, size);
        if (end <= offset) {
            reply.send();
            return;
        }
        Pins pins = new Pins();
        try {
            if (collect(offset, end, pins)) {
                pins.sendTo(reply);
            } else {
                LoneRead.answer(readers, version, offset, (int) (end - offset), reply);
            }
        } finally {
            pins.release();
        }
    }

    /** Ends what is fetched ahead and gives its memory back. Reads under way still end well. */
    @Override
    public void close() {
        readers.forget(this);
        lock.lock();
        try {
            closed = true;
            cursors.clear();
            tidy();
        } finally {
            lock.unlock();
        }
    }

    private long clip(long offset, int size) {
        return Math.min(version.size(), offset + size);
    }

    /** Pins the bytes; false if there is no memory to fetch them into. */
    private boolean collect(long offset, long end, Pins pins) throws StoreException, InterruptedException {
        Demands.Demand demand = demand(offset, end);
        try {
            Step step = proceed(offset, end, pins, null);
            while (step instanceof Step.RunHere(Fetch exact)) {
                exact.run();
                step = proceed(offset, end, pins, exact);
            }
            return step instanceof Step.Pinned;
        } finally {
            satisfied(demand);
        }
    }

    /** How far a read has come. */
    private sealed interface Step {
        record Pinned() implements Step {}

        record NoMemory() implements Step {}

        /** A fetch of exactly what this read waits for, which it runs itself; others go on when the read has its bytes. */
        record RunHere(Fetch fetch) implements Step {}
    }

    private Demands.Demand demand(long offset, long end) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            return demands.add(offset, end);
        } finally {
            lock.unlock();
        }
    }

    private void satisfied(Demands.Demand demand) {
        lock.lock();
        try {
            demands.remove(demand);
            tidy();
        } finally {
            lock.unlock();
        }
    }

    /** Goes on until the bytes are pinned, or something has to be done without the lock. */
    private Step proceed(long offset, long end, Pins pins, @Nullable Fetch ran)
            throws StoreException, InterruptedException {
        lock.lock();
        try {
            if (ran != null) {
                checkFailure(ran, end, true);
            }
            boolean waited = ran != null;
            while (true) {
                Cursor cursor = cursorAt(offset);
                if (fetches.pin(offset, end, pins)) {
                    served(cursor, offset, end, waited);
                    return new Step.Pinned();
                }
                List<Fetch> missing = plan.fill(cursor, offset, end);
                if (missing == null) {
                    return new Step.NoMemory();
                }
                if (missing.size() == 1 && missing.getFirst().end() <= end) {
                    return new Step.RunHere(missing.getFirst());
                }
                missing.forEach(Fetch::startInBackground);
                waitForNext(offset, end, missing);
                waited = true;
            }
        } finally {
            lock.unlock();
        }
    }

    private void waitForNext(long offset, long end, List<Fetch> own) throws StoreException, InterruptedException {
        Fetch pending = fetches.pending(offset, end);
        if (pending != null) {
            long needed = Math.min(end, pending.end());
            pending.await(needed);
            checkFailure(pending, needed, own.contains(pending));
        }
    }

    private static void checkFailure(Fetch fetch, long needed, boolean own)
            throws StoreException, InterruptedException {
        switch (fetch.failureBefore(needed)) {
            case null -> {}
            case StoreException e
            when e.failure() instanceof StoreFailure.Cancelled -> {
                if (own && Thread.interrupted()) {
                    throw new InterruptedException("the read was interrupted");
                }
                if (own) {
                    throw e;
                }
                // Somebody else's read was interrupted; this one fetches for itself.
            }
            case StoreException e -> throw e;
            case Throwable e -> throw new IllegalStateException("a fetch failed because of a fault in this program", e);
        }
    }

    private Cursor cursorAt(long offset) {
        Cursor found = cursors.find(offset);
        return found != null ? found : cursors.begin(offset, plan.fitsOnePart(), System.nanoTime());
    }

    private void served(Cursor cursor, long offset, long end, boolean waited) {
        long now = System.nanoTime();
        lastNanos = now;
        long before = cursor.position();
        boolean forgot = cursors.consumed(cursor, offset, end, now);
        if (waited) {
            long share = readers.share();
            cursor.stalled(readers.transfers(), plan.step(cursor, share), share);
        }
        if (forgot || cursor.position() != before) {
            plan.ahead(cursor);
            tidy();
        }
    }

    private void tidy() {
        if (closed) {
            cursors.clear();
        }
        fetches.sweep(cursors, demands);
        int now = cursors.sequential();
        readers.streamsChanged(now - streams);
        streams = now;
    }

    private boolean lockSoon() {
        for (int i = 0; i < LOOKS; i++) {
            if (lock.tryLock()) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    // ---- for the memory of all readers

    /** When somebody last read from it. */
    long lastNanos() {
        return lastNanos;
    }

    /** Gives up what was not read since then, or everything that no read waits for. */
    void reclaim(Pressure pressure, long idleSince) {
        if (!lock.tryLock()) {
            return;
        }
        try {
            switch (pressure) {
                case WAITING -> cursors.forgetIdle(idleSince);
                case STARVING -> cursors.clear();
            }
            tidy();
        } finally {
            lock.unlock();
        }
    }

    // ---- for fetches

    Readers readers() {
        return readers;
    }

    ObjectStore store() {
        return readers.store();
    }

    Condition newCondition() {
        return lock.newCondition();
    }

    void lock() {
        lock.lock();
    }

    void unlock() {
        lock.unlock();
    }

    /** Under the lock: what failed is no longer on its way, and what came for nobody goes. */
    void fetchEnded(Fetch fetch) {
        if (fetch.kept() == fetch.end()) {
            fetches.remove(fetch);
        }
    }
}
