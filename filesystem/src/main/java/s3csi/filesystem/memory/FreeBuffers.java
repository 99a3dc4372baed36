package s3csi.filesystem.memory;

import java.lang.foreign.MemorySegment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.linux.LinuxException;
import s3csi.linux.PageMemory;

/**
 * The buffers nobody has, most recently used first, so that a steady load touches as few pages as it can.
 *
 * <p>They lie in one array: untouched ones below {@code cold}, then those with resident pages up to {@code size}. What stayed free during
 * a whole period lies at the bottom of the resident ones. Guarded by the lock of the pool.
 */
final class FreeBuffers {
    private static final Logger LOG = LoggerFactory.getLogger(FreeBuffers.class);

    private final Buffer[] stack;
    private int size;
    /** How many at the bottom have no resident pages. */
    private int cold;
    /** The smallest size since the period began. */
    private int low;
    /** Up to here, buffers stayed free during the last period. */
    private int unneeded;

    FreeBuffers(BufferPool pool, MemorySegment memory, int count) {
        stack = new Buffer[count];
        for (int i = 0; i < count; i++) {
            // The first to be handed out has the lowest address.
            long offset = (long) (count - 1 - i) * BufferPool.BUFFER_SIZE;
            stack[i] = new Buffer(pool, memory.asSlice(offset, BufferPool.BUFFER_SIZE));
        }
        size = count;
        cold = count;
        low = count;
    }

    Buffer pop() {
        size--;
        cold = Math.min(cold, size);
        low = Math.min(low, size);
        return stack[size];
    }

    void push(Buffer buffer) {
        stack[size++] = buffer;
    }

    int resident() {
        return size - cold;
    }

    void endPeriod() {
        unneeded = low;
        low = size;
    }

    /** Gives back the pages of one buffer that was not needed; says whether there may be more. */
    boolean trimOne() {
        if (cold >= Math.min(unneeded, size)) {
            return false;
        }
        try {
            PageMemory.release(stack[cold].memory());
        } catch (LinuxException e) {
            LOG.warn("Unused memory stays resident because the kernel does not take it back: {}", e.getMessage());
            unneeded = cold;
            return false;
        }
        cold++;
        return true;
    }
}
