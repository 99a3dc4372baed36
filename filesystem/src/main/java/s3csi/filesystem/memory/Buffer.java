package s3csi.filesystem.memory;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@link BufferPool#BUFFER_SIZE} bytes off the heap.
 *
 * <p>Taken with one reference. Only who has a reference may add one, and the last {@link #release} gives the memory back: after
 * that the same object serves somebody else.
 */
public final class Buffer {
    private final BufferPool pool;
    private final MemorySegment memory;
    private final AtomicInteger references = new AtomicInteger();
    private Priority priority = Priority.PREFETCH;

    Buffer(BufferPool pool, MemorySegment memory) {
        this.pool = pool;
        this.memory = memory;
    }

    /** The memory; its content is undefined at first. */
    public MemorySegment memory() {
        return memory;
    }

    /** One more reader. */
    public void retain() {
        if (references.getAndIncrement() <= 0) {
            throw new IllegalStateException("a buffer that was given back cannot be retained");
        }
    }

    public void release() {
        int left = references.decrementAndGet();
        if (left == 0) {
            pool.giveBack(this, priority);
        } else if (left < 0) {
            throw new IllegalStateException("a buffer was released more often than retained");
        }
    }

    void handOut(Priority taken) {
        priority = taken;
        references.set(1);
    }
}
