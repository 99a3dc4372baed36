package s3csi.filesystem.memory;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one part of an upload, in memory that grows with them.
 *
 * <p>The first bytes take single buffers, so that small files cost little. Once they are more than that, the rest of the part is reserved
 * at once: a hundred writers with half a part each, all waiting for more, would never end. For the same reason all single buffers
 * together are a small share of the budget, beyond which a part is reserved from its first byte on. Not for several threads at
 * once.
 */
public final class PartBuffer implements AutoCloseable {
    /** Up to here a part grows by single buffers. */
    private static final int SMALL = 8;

    private final BufferPool pool;
    private final long capacity;
    private final List<Buffer> buffers = new ArrayList<>();
    private @Nullable Reservation rest;
    /** Single buffers that count against the share. */
    private int single;

    private long size;

    /** An empty part; takes no memory yet. */
    public PartBuffer(BufferPool pool, long capacity) {
        if (capacity < 1 || capacity > pool.largestReservation(Priority.WRITE)) {
            throw new IllegalArgumentException("a part of " + capacity + " bytes does not fit into a memory budget of "
                    + pool.budget() + " bytes; choose smaller parts or more memory");
        }
        this.pool = pool;
        this.capacity = capacity;
    }

    public long size() {
        return size;
    }

    /** How many bytes still fit. */
    public long remaining() {
        return capacity - size;
    }

    /** Copies bytes behind those already there, waiting for memory; returns how many, which is all unless the part is full. */
    public long append(MemorySegment source, long from, long length) throws InterruptedException {
        long wanted = Math.min(length, remaining());
        long done = tryAppend(source, from, wanted);
        while (done < wanted) {
            grow();
            done += tryAppend(source, from + done, wanted - done);
        }
        return done;
    }

    /** The same without waiting: takes fewer bytes where memory is missing. */
    public long tryAppend(MemorySegment source, long from, long length) {
        long wanted = Math.min(length, remaining());
        long done = 0;
        while (done < wanted) {
            long within = size % BufferPool.BUFFER_SIZE;
            if (within == 0 && size == (long) buffers.size() * BufferPool.BUFFER_SIZE && !tryGrow()) {
                break;
            }
            long count = Math.min(wanted - done, BufferPool.BUFFER_SIZE - within);
            MemorySegment target =
                    buffers.get((int) (size / BufferPool.BUFFER_SIZE)).memory();
            MemorySegment.copy(source, from + done, target, within, count);
            size += count;
            done += count;
        }
        return done;
    }

    /** Views of the bytes in order, for {@link s3csi.s3.Payload}; valid until {@link #clear} or {@link #close}. */
    public List<MemorySegment> segments() {
        List<MemorySegment> segments = new ArrayList<>();
        for (long at = 0; at < size; at += BufferPool.BUFFER_SIZE) {
            MemorySegment memory =
                    buffers.get((int) (at / BufferPool.BUFFER_SIZE)).memory();
            segments.add(memory.asSlice(0, Math.min(BufferPool.BUFFER_SIZE, size - at)));
        }
        return segments;
    }

    /** Gives all memory back; the part is empty and may be filled again. */
    public void clear() {
        buffers.forEach(Buffer::release);
        buffers.clear();
        if (rest != null) {
            rest.close();
            rest = null;
        }
        forgetSingle();
        size = 0;
    }

    @Override
    public void close() {
        clear();
    }

    private boolean tryGrow() {
        if (rest == null) {
            boolean small = takesSingle();
            rest = pool.tryReserve(Priority.WRITE, small ? 1 : missing());
            settle(small, rest != null);
        }
        if (rest == null) {
            return false;
        }
        takeFrom(rest);
        return true;
    }

    private void grow() throws InterruptedException {
        if (rest == null) {
            boolean small = takesSingle();
            try {
                rest = pool.reserve(Priority.WRITE, small ? 1 : missing());
            } finally {
                settle(small, rest != null);
            }
        }
        takeFrom(rest);
    }

    private void takeFrom(Reservation reservation) {
        buffers.add(reservation.take());
        if (reservation.left() == 0) {
            rest = null;
        }
    }

    /** Whether the next buffer is a single one, which is then counted. */
    private boolean takesSingle() {
        return buffers.size() < SMALL && missing() > 1 && pool.countSingle(buffers.isEmpty());
    }

    private void settle(boolean small, boolean reserved) {
        if (small && reserved) {
            single++;
        } else if (small) {
            pool.forgetSingle(1);
        } else if (reserved) {
            // The part is complete now: it can be filled and sent whatever the others do.
            forgetSingle();
        }
    }

    private void forgetSingle() {
        pool.forgetSingle(single);
        single = 0;
    }

    private int missing() {
        return BufferPool.buffersFor(capacity) - buffers.size();
    }
}
