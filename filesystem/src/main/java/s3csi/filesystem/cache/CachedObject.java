package s3csi.filesystem.cache;

import java.lang.foreign.MemorySegment;
import java.util.List;
import s3csi.filesystem.memory.Buffer;

/** One version of one object, as far as it is in the cache. For any number of threads. */
public final class CachedObject {
    private final DiskCache cache;
    private final ObjectHash hash;

    CachedObject(DiskCache cache, ObjectHash hash) {
        this.cache = cache;
        this.hash = hash;
    }

    /** Whether a block seems to be there. Returns at once. */
    public boolean isStored(long block) {
        return cache.isStored(hash, block);
    }

    /**
     * Reads a block into the memory, all of which it must fill. Waits for the disk, also when interrupted, as the memory must not be used
     * by others before.
     *
     * @return false if the block is not there, or not good: then the memory holds nothing of use
     */
    public boolean read(long block, List<MemorySegment> memory) {
        return cache.read(hash, block, memory);
    }

    /**
     * Writes a block when there is time. The references to the buffers are the cache's from now on, whether it writes or not.
     *
     * @param length of the data, from the first byte of the first buffer on
     */
    public void store(long block, List<Buffer> buffers, int length) {
        cache.store(hash, block, buffers, length);
    }
}
