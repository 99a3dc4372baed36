package s3csi.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/**
 * A reusable list of memory pieces for one writev, and the place where that call leaves its errno. One user at a time.
 *
 * <p>It holds addresses, not segments, so that filling it allocates nothing and takes no lock on an arena: whoever adds a
 * piece keeps the memory alive until the call is over.
 */
public final class IoVector {
    static final StructLayout IOVEC =
            MemoryLayout.structLayout(JAVA_LONG.withName("iov_base"), JAVA_LONG.withName("iov_len"));
    private static final long PIECE = IOVEC.byteSize();
    /** The kernel's own limit for one call. */
    public static final int LARGEST = 1024;

    private final MemorySegment captured;
    private final MemorySegment pieces;
    private final int capacity;
    private int count;
    private long bytes;

    /** Room for that many pieces, in memory that lives as long as this object or as anything that uses its arena. */
    public IoVector(int capacity) {
        if (capacity < 1 || capacity > LARGEST) {
            throw new IllegalArgumentException("a vector has 1 to " + LARGEST + " pieces; asked for " + capacity);
        }
        Arena arena = Arena.ofAuto();
        this.capacity = capacity;
        this.captured = Native.capture(arena);
        this.pieces = arena.allocate(IOVEC, capacity);
    }

    public void clear() {
        count = 0;
        bytes = 0;
    }

    public boolean isFull() {
        return count == capacity;
    }

    /** Adds the bytes {@code [from, from + length)} of an off-heap segment. */
    public void add(MemorySegment segment, long from, long length) {
        if (!segment.isNative()) {
            throw new IllegalArgumentException("the kernel can only take bytes from off-heap memory");
        }
        if (from < 0 || length < 0 || from > segment.byteSize() - length) {
            throw new IndexOutOfBoundsException(
                    "bytes " + from + " to " + (from + length) + " of a segment of " + segment.byteSize());
        }
        if (count == capacity) {
            throw new IllegalStateException("more than " + capacity + " pieces in one call");
        }
        pieces.set(JAVA_LONG, count * PIECE, segment.address() + from);
        pieces.set(JAVA_LONG, count * PIECE + 8, length);
        count++;
        bytes += length;
    }

    /** Bytes in all pieces. */
    public long bytes() {
        return bytes;
    }

    /** A copy of all bytes in order, as a call would write them: for tests and diagnosis. */
    public byte[] toBytes() {
        byte[] copy = new byte[Math.toIntExact(bytes)];
        int at = 0;
        for (int i = 0; i < count; i++) {
            int length = (int) pieces.get(JAVA_LONG, i * PIECE + 8);
            MemorySegment piece = Native.memory(pieces.get(JAVA_LONG, i * PIECE), length);
            MemorySegment.copy(piece, JAVA_BYTE, 0, copy, at, length);
            at += length;
        }
        return copy;
    }

    int count() {
        return count;
    }

    long address() {
        return pieces.address();
    }

    MemorySegment captured() {
        return captured;
    }
}
