package s3csi.filesystem.read;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.cache.CachedObject;
import s3csi.filesystem.cache.DiskCache;
import s3csi.filesystem.memory.Buffer;
import s3csi.filesystem.memory.BufferPool;

/** The blocks of an object that may be on the disk. Fetches are made of whole blocks then, either all from the disk or all from the store. */
final class CachedBlocks {
    private static final long BLOCK = DiskCache.BLOCK_SIZE;

    private final CachedObject object;
    private final long size;

    CachedBlocks(CachedObject object, long size) {
        this.object = object;
        this.size = size;
    }

    /** Consecutive blocks from one place. */
    record Run(long from, long to, boolean onDisk) {}

    /** The blocks from the one at {@code from} on that are in the same place as that, up to the one with the last byte before {@code to}. */
    Run run(long from, long to) {
        long first = from / BLOCK;
        boolean onDisk = object.isStored(first);
        long next = first + 1;
        while (next * BLOCK < to && object.isStored(next) == onDisk) {
            next++;
        }
        return new Run(first * BLOCK, Math.min(size, next * BLOCK), onDisk);
    }

    /** Reads the block that begins at this offset; the buffers hold all of it. */
    boolean read(long offset, List<Buffer> buffers) {
        List<MemorySegment> memory = new ArrayList<>(buffers.size());
        long left = lengthAt(offset);
        for (Buffer buffer : buffers) {
            long count = Math.min(left, BufferPool.BUFFER_SIZE);
            memory.add(buffer.memory().asSlice(0, count));
            left -= count;
        }
        return object.read(offset / BLOCK, memory);
    }

    /** Keeps the block that begins at this offset; the references to its buffers go along. */
    void store(long offset, List<Buffer> buffers) {
        object.store(offset / BLOCK, buffers, lengthAt(offset));
    }

    /** Bytes of the block that begins at this offset. */
    int lengthAt(long offset) {
        return (int) Math.min(BLOCK, size - offset);
    }

    /** Where the block after the one that begins at this offset begins. */
    long after(long offset) {
        return offset + lengthAt(offset);
    }

    /** For a GET from there on; null if that does not begin with a block. */
    @Nullable
    BlockCollector collector(long offset, boolean waitsForEnd) {
        return offset % BLOCK == 0 ? new BlockCollector(this, offset, waitsForEnd) : null;
    }
}
