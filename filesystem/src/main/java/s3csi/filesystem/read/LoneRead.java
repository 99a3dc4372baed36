package s3csi.filesystem.read;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import s3csi.filesystem.memory.Buffer;
import s3csi.filesystem.memory.BufferPool;
import s3csi.filesystem.memory.Priority;
import s3csi.filesystem.memory.Reservation;
import s3csi.fuse.DataReply;
import s3csi.s3.BodySink;
import s3csi.s3.ByteRange;
import s3csi.s3.StoreException;

/**
 * A read when memory is short: it holds nothing while it waits for memory, asks for all it needs at once, and gives it back right after
 * its answer. Hence any number of them ends, however little memory there is.
 */
final class LoneRead implements BodySink, AutoCloseable {
    private final Reservation memory;
    private final List<Buffer> buffers = new ArrayList<>();

    private long received;

    private LoneRead(Reservation memory) {
        this.memory = memory;
    }

    static void answer(Readers readers, ObjectVersion version, long offset, int length, DataReply reply)
            throws StoreException, InterruptedException {
        int needed = BufferPool.buffersFor(length);
        try (Reservation memory = readers.pool().reserve(Priority.FOREGROUND_READ, needed);
                LoneRead read = new LoneRead(memory)) {
            ByteRange range = new ByteRange(offset, length);
            readers.store().get(version.get(range), read);
            if (read.received < length) {
                throw version.missingBytes();
            }
            read.send(length, reply);
        }
    }

    @Override
    public MemorySegment space(long offset, long remaining) {
        Buffer buffer = memory.take();
        buffers.add(buffer);
        return buffer.memory();
    }

    @Override
    public boolean received(int count) {
        received += count;
        return true;
    }

    private void send(int length, DataReply reply) {
        int left = length;
        for (Buffer buffer : buffers) {
            int count = Math.min(left, BufferPool.BUFFER_SIZE);
            reply.add(buffer.memory(), 0, count);
            left -= count;
        }
        reply.send();
    }

    @Override
    public void close() {
        buffers.forEach(Buffer::release);
    }
}
