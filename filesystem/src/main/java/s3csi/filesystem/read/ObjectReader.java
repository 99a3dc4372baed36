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
import s3csi.s3.GetRequest;
import s3csi.s3.StoreException;

/**
 * One open file: the bytes of one version of an object. One for each open handle; any number of reads at the same time.
 *
 * <p>A read clips at the end of the object and answers the reply exactly once, unless it throws or returns false: then the reply
 * is untouched and still the caller's.
 */
public final class ObjectReader implements AutoCloseable {
    private final Readers readers;
    private final ObjectVersion version;

    ObjectReader(Readers readers, ObjectVersion version) {
        this.readers = readers;
        this.version = version;
    }

    public ObjectVersion version() {
        return version;
    }

    /** Answers if all of the bytes are in memory. Never waits and allocates nothing: for device threads. */
    public boolean readNow(long offset, int size, DataReply reply) {
        if (offset >= version.size() || size == 0) {
            reply.send();
            return true;
        }
        return false;
    }

    /** Answers, waiting for the store as needed. For virtual threads; an interrupt ends the wait, not the fetch. */
    public void read(long offset, int size, DataReply reply) throws StoreException, InterruptedException {
        if (readNow(offset, size, reply)) {
            return;
        }
        int length = (int) Math.min(size, version.size() - offset);
        List<Buffer> buffers = new ArrayList<>();
        try (Reservation reservation =
                readers.pool().reserve(Priority.FOREGROUND_READ, BufferPool.buffersFor(length))) {
            readers.store()
                    .get(new GetRequest(version.key(), new ByteRange(offset, length), version.etag()), new BodySink() {
                        @Override
                        public MemorySegment space(long at, long remaining) {
                            Buffer buffer = reservation.take();
                            buffers.add(buffer);
                            return buffer.memory();
                        }

                        @Override
                        public boolean received(int count) {
                            return true;
                        }
                    });
            int left = length;
            for (Buffer buffer : buffers) {
                int count = Math.min(left, BufferPool.BUFFER_SIZE);
                reply.add(buffer.memory(), 0, count);
                left -= count;
            }
            reply.send();
        } finally {
            buffers.forEach(Buffer::release);
        }
    }

    /** Ends what is fetched ahead and gives its memory back. Reads under way still end well. */
    @Override
    public void close() {}
}
