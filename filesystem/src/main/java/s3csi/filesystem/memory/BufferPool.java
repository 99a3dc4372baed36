package s3csi.filesystem.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import s3csi.linux.LinuxException;
import s3csi.linux.PageMemory;

/**
 * Off-heap buffers of one size within a hard budget. See the package for the rules.
 *
 * <p>For any number of threads. {@link #tryReserve} never waits and may be called on device threads; {@link #reserve} waits and is for
 * virtual threads.
 */
public final class BufferPool implements AutoCloseable {
    /** The kernel's usual readahead, so that a buffered READ touches one or two buffers. */
    public static final int BUFFER_SIZE = 128 * 1024;

    public static final long MINIMUM_BUDGET = 52L << 20;

    /** A read that waits this long may take what was prefetched for others; mere jitter of the network should not cost that. */
    private static final long STARVING_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** A writer waits longer before it does: while it waits nobody prefetches, so streams hand their memory on by being read. */
    private static final long STARVING_WRITER_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** A writer that waits this long goes before reads that come later. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * One buffer of so many is for names: 100,000 files, as many as find reads before it looks at the first, need ten megabytes. Where
     * there is no room for twice as many, it looks at names that were just forgotten.
     */
    private static final int NAMES_SHARE = 8;

    /** One of so many for data is for reads in the foreground alone. */
    private static final int READ_SHARE = 16;

    private static final Duration IDLE = Duration.ofSeconds(10);

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Reclaimer> reclaimers = new CopyOnWriteArrayList<>();
    private final ArrayDeque<Waiter> reads = new ArrayDeque<>();
    private final ArrayDeque<Waiter> writes = new ArrayDeque<>();
    private final Usage usage = new Usage();
    private final Arena arena = Arena.ofShared();
    private final FreeBuffers free;
    private final int total;
    private final int readReserve;
    private final int mostForNames;
    private final int mostForData;
    private final Thread trimmer;

    /** Maps the memory; nothing is resident yet. */
    public BufferPool(long budget) throws LinuxException {
        this(budget, IDLE);
    }

    /** With the time after which unused memory goes back to the kernel. */
    public BufferPool(long budget, Duration idle) throws LinuxException {
        if (budget < MINIMUM_BUDGET) {
            throw new IllegalArgumentException("a memory budget of " + (budget >> 20) + " MiB is too small to read and"
                    + " write with; give at least " + (MINIMUM_BUDGET >> 20) + " MiB");
        }
        total = Math.toIntExact(budget / BUFFER_SIZE);
        mostForNames = total / NAMES_SHARE;
        mostForData = total - mostForNames;
        readReserve = mostForData / READ_SHARE;
        MemorySegment memory = PageMemory.map((long) total * BUFFER_SIZE, arena);
        free = new FreeBuffers(this, memory, total);
        trimmer = Thread.ofVirtual().name("memory-trim").start(() -> trimEvery(idle));
    }

    /** A Reservation of buffers for that many bytes needs this many of them. */
    public static int buffersFor(long bytes) {
        return Math.toIntExact((bytes + BUFFER_SIZE - 1) / BUFFER_SIZE);
    }

    public long budget() {
        return (long) total * BUFFER_SIZE;
    }

    /** The most that one reservation for this may ask for; more could wait for ever. */
    public long largestReservation(Priority priority) {
        return largestReservation(priority, budget());
    }

    /** The same of a pool with that budget. */
    public static long largestReservation(Priority priority, long budget) {
        long total = budget / BUFFER_SIZE;
        long names = total / NAMES_SHARE;
        long data = total - names;
        long share = switch (priority) {
            case FOREGROUND_READ -> data / 2;
            case WRITE, PREFETCH -> data - data / 4;
            case NAMES -> names;
        };
        return share * BUFFER_SIZE;
    }

    /** Whoever holds memory that others may need more. */
    public void addReclaimer(Reclaimer reclaimer) {
        reclaimers.add(reclaimer);
    }

    public void removeReclaimer(Reclaimer reclaimer) {
        reclaimers.remove(reclaimer);
    }

    /** Waits until all of the buffers are there. Prefetches must not wait: they {@link #tryReserve}. */
    public Reservation reserve(Priority priority, int buffers) throws InterruptedException {
        if (priority == Priority.PREFETCH || priority == Priority.NAMES) {
            throw new IllegalArgumentException(priority + " does not wait for memory");
        }
        checkSize(priority, buffers);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        ArrayDeque<Waiter> queue = priority == Priority.WRITE ? writes : reads;
        Waiter waiter;
        lock.lock();
        try {
            if (fits(priority, buffers) && queue.isEmpty() && !yieldsToWriter(priority, buffers)) {
                return granted(priority, buffers);
            }
            waiter = new Waiter(priority, buffers, lock.newCondition(), System.nanoTime());
            queue.add(waiter);
        } finally {
            lock.unlock();
        }
        return await(waiter, queue);
    }

    /** The buffers, or null if they are not there at once or somebody more urgent waits. */
    public @Nullable Reservation tryReserve(Priority priority, int buffers) {
        checkSize(priority, buffers);
        lock.lock();
        try {
            boolean free = fits(priority, buffers) && !yieldsToWriter(priority, buffers);
            boolean first = switch (priority) {
                case FOREGROUND_READ -> reads.isEmpty();
                case WRITE -> writes.isEmpty();
                case PREFETCH -> reads.isEmpty() && writes.isEmpty();
                case NAMES -> true;
            };
            return free && first ? granted(priority, buffers) : null;
        } finally {
            lock.unlock();
        }
    }

    /** The most that may be reserved for data; names have the rest. */
    public long mostForData() {
        return (long) mostForData * BUFFER_SIZE;
    }

    public long mostForNames() {
        return (long) mostForNames * BUFFER_SIZE;
    }

    /** Bytes reserved or in buffers. */
    public long used() {
        lock.lock();
        try {
            return (long) usage.total() * BUFFER_SIZE;
        } finally {
            lock.unlock();
        }
    }

    /** The part of {@link #used()} that was taken for this. */
    public long used(Priority priority) {
        lock.lock();
        try {
            return (long) usage.of(priority) * BUFFER_SIZE;
        } finally {
            lock.unlock();
        }
    }

    /** The most that was ever used. */
    public long peak() {
        lock.lock();
        try {
            return (long) usage.peak() * BUFFER_SIZE;
        } finally {
            lock.unlock();
        }
    }

    /** How many wait for memory. */
    public int waiting() {
        lock.lock();
        try {
            return reads.size() + writes.size();
        } finally {
            lock.unlock();
        }
    }

    /** Bytes of free buffers that the kernel has not got back yet. */
    long idleResident() {
        lock.lock();
        try {
            return (long) free.resident() * BUFFER_SIZE;
        } finally {
            lock.unlock();
        }
    }

    /** Unmaps the memory. Nobody may use a buffer any more: requests to the store and to the kernel must have ended. */
    @Override
    public void close() {
        trimmer.interrupt();
        try {
            trimmer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        arena.close();
    }

    // ---- for reservations and buffers

    Buffer take(Priority priority) {
        lock.lock();
        try {
            Buffer buffer = free.pop();
            buffer.handOut(priority);
            return buffer;
        } finally {
            lock.unlock();
        }
    }

    void giveBack(Buffer buffer, Priority priority) {
        lock.lock();
        try {
            free.push(buffer);
            freed(1, priority);
        } finally {
            lock.unlock();
        }
    }

    void giveBack(int unused, Priority priority) {
        lock.lock();
        try {
            freed(unused, priority);
        } finally {
            lock.unlock();
        }
    }

    // ---- admission, under the lock

    private boolean fits(Priority priority, int buffers) {
        return switch (priority) {
            case FOREGROUND_READ -> usage.data() + buffers <= mostForData;
            case WRITE, PREFETCH -> usage.data() + buffers <= mostForData - readReserve;
            case NAMES -> usage.of(priority) + buffers <= mostForNames;
        };
    }

    /** Whether a writer has waited so long that reads now live on their reserve, until it has got its memory. */
    private boolean yieldsToWriter(Priority priority, int buffers) {
        Waiter writer = writes.peek();
        return priority == Priority.FOREGROUND_READ
                && writer != null
                && writer.age() > PATIENCE_NANOS
                && usage.of(priority) + buffers > readReserve;
    }

    private Reservation granted(Priority priority, int buffers) {
        usage.add(priority, buffers);
        return new Reservation(this, priority, buffers);
    }

    private void freed(int buffers, Priority priority) {
        usage.add(priority, -buffers);
        grantNext();
    }

    /** In order of arrival: a large request at the head must not be overtaken by small ones for ever. */
    private void grantNext() {
        Waiter read = reads.peek();
        while (read != null && fits(read.priority, read.buffers) && !yieldsToWriter(read.priority, read.buffers)) {
            grant(reads);
            read = reads.peek();
        }
        Waiter write = writes.peek();
        while (write != null && fits(write.priority, write.buffers)) {
            grant(writes);
            write = writes.peek();
        }
    }

    private void grant(ArrayDeque<Waiter> queue) {
        Waiter waiter = queue.remove();
        waiter.reservation = granted(waiter.priority, waiter.buffers);
        waiter.changed.signal();
    }

    private void checkSize(Priority priority, int buffers) {
        if (buffers < 1 || (long) buffers * BUFFER_SIZE > largestReservation(priority)) {
            throw new IllegalArgumentException(
                    buffers + " buffers of " + BUFFER_SIZE + " bytes cannot be reserved at once; the most is "
                            + largestReservation(priority) / BUFFER_SIZE + ", raise the memory budget for more");
        }
    }

    // ---- waiting

    private static final class Waiter {
        final Priority priority;
        final int buffers;
        final Condition changed;
        final long since;

        @Nullable
        Reservation reservation;

        Waiter(Priority priority, int buffers, Condition changed, long since) {
            this.priority = priority;
            this.buffers = buffers;
            this.changed = changed;
            this.since = since;
        }

        long age() {
            return System.nanoTime() - since;
        }

        boolean isStarving() {
            return age() >= (priority == Priority.WRITE ? STARVING_WRITER_NANOS : STARVING_NANOS);
        }
    }

    private Reservation await(Waiter waiter, ArrayDeque<Waiter> queue) throws InterruptedException {
        Pressure pressure = Pressure.WAITING;
        try {
            while (true) {
                askForMemory((long) waiter.buffers * BUFFER_SIZE, pressure);
                lock.lock();
                try {
                    grantNext();
                    if (waiter.reservation == null) {
                        waiter.changed.awaitNanos(STARVING_NANOS);
                    }
                    if (waiter.reservation != null) {
                        return waiter.reservation;
                    }
                } finally {
                    lock.unlock();
                }
                pressure = waiter.isStarving() ? Pressure.STARVING : Pressure.WAITING;
            }
        } catch (InterruptedException | RuntimeException e) {
            withdraw(waiter, queue);
            throw e;
        }
    }

    private void withdraw(Waiter waiter, ArrayDeque<Waiter> queue) {
        lock.lock();
        try {
            queue.remove(waiter);
            grantNext();
        } finally {
            lock.unlock();
        }
        if (waiter.reservation != null) {
            waiter.reservation.close();
        }
    }

    private void askForMemory(long bytes, Pressure pressure) {
        for (Reclaimer reclaimer : reclaimers) {
            reclaimer.reclaim(bytes, pressure);
        }
    }

    // ---- unused memory

    private void trimEvery(Duration idle) {
        try {
            while (true) {
                Thread.sleep(idle);
                trim();
            }
        } catch (InterruptedException _) {
            // The pool is closed, and its memory goes as a whole.
        }
    }

    /** Gives the kernel back what nobody needed since the last time. */
    void trim() {
        lock.lock();
        try {
            free.endPeriod();
        } finally {
            lock.unlock();
        }
        while (trimOne()) {
            // One buffer at a time: whoever needs memory meanwhile does not wait for all of them.
        }
    }

    private boolean trimOne() {
        lock.lock();
        try {
            return free.trimOne();
        } finally {
            lock.unlock();
        }
    }
}
