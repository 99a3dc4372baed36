package s3csi.filesystem.memory;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one part of an upload, in memory that grows with them: to the next power of two buffers, so that small files cost
 * little and a large part seldom waits.
 *
 * <p>It waits for more while it holds some. So whoever fills parts must see to it that all that are being filled fit into
 * memory together. Not for several threads at once.
 */
public final class PartBuffer implements AutoCloseable {
    private final BufferPool pool;
    private final long capacity;
    private final List<Buffer> buffers = new ArrayList<>();
    private @Nullable Reservation rest;
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

    /** How many buffers the part holds once so many more bytes were appended. */
    public int buffersWith(long more) {
        int needed = BufferPool.buffersFor(Math.min(capacity, size + more));
        int grown = needed <= 1 ? needed : Integer.highestOneBit(needed - 1) << 1;
        return Math.min(grown, BufferPool.buffersFor(capacity));
    }

    /** Copies bytes behind those already there, waiting for memory; returns how many, which is all unless the part is full. */
    public long append(MemorySegment source, long from, long length) throws InterruptedException {
        long wanted = Math.min(length, remaining());
        long done = fill(source, from, wanted);
        if (done < wanted) {
            rest = pool.reserve(Priority.WRITE, missing(wanted - done));
            done += fill(source, from + done, wanted - done);
        }
        return done;
    }

    /** The same without waiting: takes fewer bytes where memory is missing. */
    public long tryAppend(MemorySegment source, long from, long length) {
        long wanted = Math.min(length, remaining());
        long done = fill(source, from, wanted);
        if (done < wanted) {
            rest = pool.tryReserve(Priority.WRITE, missing(wanted - done));
            done += fill(source, from + done, wanted - done);
        }
        return done;
    }

    private int missing(long more) {
        return buffersWith(more) - buffers.size();
    }

    /** As far as the memory reaches that the part has. */
    private long fill(MemorySegment source, long from, long length) {
        long done = 0;
        while (done < length && (size < held() || takeReserved())) {
            long within = size % BufferPool.BUFFER_SIZE;
            long count = Math.min(length - done, BufferPool.BUFFER_SIZE - within);
            MemorySegment target =
                    buffers.get((int) (size / BufferPool.BUFFER_SIZE)).memory();
            MemorySegment.copy(source, from + done, target, within, count);
            size += count;
            done += count;
        }
        return done;
    }

    private long held() {
        return (long) buffers.size() * BufferPool.BUFFER_SIZE;
    }

    private boolean takeReserved() {
        if (rest == null) {
            return false;
        }
        buffers.add(rest.take());
        if (rest.left() == 0) {
            rest = null;
        }
        return true;
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
        size = 0;
    }

    @Override
    public void close() {
        clear();
    }
}
