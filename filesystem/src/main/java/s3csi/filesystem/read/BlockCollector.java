package s3csi.filesystem.read;

import java.util.ArrayList;
import java.util.List;
import s3csi.filesystem.memory.Buffer;
import s3csi.filesystem.memory.BufferPool;

/**
 * Puts the buffers of a GET together to blocks for the disk. It has references of its own, as readers may be done with the beginning of a
 * block before its end has arrived. Owned by the thread that runs the fetch.
 */
final class BlockCollector {
    private final CachedBlocks blocks;
    /** A whole object has a checksum that is known to be good only at its end. */
    private final boolean waitsForEnd;

    private final List<Buffer> buffers = new ArrayList<>();
    private long from;

    BlockCollector(CachedBlocks blocks, long from, boolean waitsForEnd) {
        this.blocks = blocks;
        this.from = from;
        this.waitsForEnd = waitsForEnd;
    }

    void add(Buffer buffer) {
        buffer.retain();
        buffers.add(buffer);
    }

    void received(long to) {
        if (!waitsForEnd) {
            storeUpTo(to);
        }
    }

    /** The fetch has ended; what is not good up to {@code to} is let go. */
    void ended(long to) {
        storeUpTo(to);
        buffers.forEach(Buffer::release);
        buffers.clear();
    }

    private void storeUpTo(long to) {
        while (from < to && blocks.after(from) <= to) {
            List<Buffer> first = buffers.subList(0, BufferPool.buffersFor(blocks.lengthAt(from)));
            blocks.store(from, List.copyOf(first));
            first.clear();
            from = blocks.after(from);
        }
    }
}
