package s3csi.fuse.session;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import s3csi.fuse.WriteData;
import s3csi.linux.LinuxException;
import s3csi.linux.PageMemory;

/**
 * The buffers that requests are read into: one per device thread and a few spare ones, which take the place of a buffer that a handler
 * keeps. There are never more of them; their pages become resident only as far as requests reach.
 */
final class RequestBuffers {
    /** Room beside the data of a WRITE: header, structure, and what newer kernels may add. */
    private static final int ROOM = 4096;

    /** What is kept of a WRITE where there is no room for all of it; the program writes the rest once more. */
    private static final int LEAST_KEPT = 16 << 10;

    private final int size;
    private final long mostKept;
    private final Counters counters;

    /** Bytes of all copies. */
    private final AtomicLong copied = new AtomicLong();

    private final ArrayDeque<MemorySegment> spare = new ArrayDeque<>();

    RequestBuffers(int maxWrite, int spareBuffers, long mostKept, Counters counters) throws LinuxException {
        this.size = maxWrite + ROOM;
        this.mostKept = mostKept;
        this.counters = counters;
        for (int i = 0; i < spareBuffers; i++) {
            spare.add(map());
        }
    }

    /** A buffer for a device thread. */
    MemorySegment map() throws LinuxException {
        return PageMemory.map(size, Arena.ofAuto());
    }

    /** Swaps a buffer that a handler keeps for a spare one; null if there is none. */
    @Nullable
    MemorySegment takeSpare() {
        synchronized (spare) {
            return spare.pollLast();
        }
    }

    private void giveBack(MemorySegment buffer) {
        synchronized (spare) {
            spare.addLast(buffer);
        }
    }

    /** The data stays where it is; the buffer comes back when it is closed. */
    WriteData.Kept keptInPlace(MemorySegment buffer, long from, int length) {
        return new Kept(buffer.asSlice(from, length), () -> giveBack(buffer));
    }

    /** How many of so many bytes may be copied: all, or a few where many wait already. */
    int roomFor(int bytes) {
        return copied.get() + bytes <= mostKept ? bytes : Math.min(bytes, LEAST_KEPT);
    }

    /** The data moves out of a buffer that the device thread needs. */
    WriteData.Kept keptCopy(MemorySegment buffer, long from, int length) {
        Arena arena = Arena.ofShared();
        MemorySegment copy = arena.allocate(length);
        MemorySegment.copy(buffer, from, copy, 0, length);
        copied.addAndGet(length);
        return new Kept(copy, () -> {
            arena.close();
            copied.addAndGet(-length);
        });
    }

    private final class Kept implements WriteData.Kept {
        private final MemorySegment bytes;
        private final Runnable release;
        private final AtomicBoolean closed = new AtomicBoolean();

        Kept(MemorySegment bytes, Runnable release) {
            this.bytes = bytes;
            this.release = release;
            counters.keptBytes.addAndGet(bytes.byteSize());
        }

        @Override
        public MemorySegment bytes() {
            if (closed.get()) {
                throw new IllegalStateException("these bytes were given back already");
            }
            return bytes;
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                counters.keptBytes.addAndGet(-bytes.byteSize());
                release.run();
            }
        }
    }
}
