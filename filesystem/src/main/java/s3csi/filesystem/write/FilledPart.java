package s3csi.filesystem.write;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.zip.CRC32C;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.failure.FileFailure;
import s3csi.filesystem.memory.BufferPool;
import s3csi.filesystem.memory.PartBuffer;
import s3csi.s3.Payload;

/** The bytes of a part, and the checksum they had when they came from the kernel. */
final class FilledPart implements AutoCloseable {
    private final PartBuffer buffer;
    private final CRC32C received = new CRC32C();

    FilledPart(BufferPool pool, long capacity) {
        this.buffer = new PartBuffer(pool, capacity);
    }

    long size() {
        return buffer.size();
    }

    /** How many buffers it holds once so many bytes more came, or it is full. */
    int buffersWith(long more) {
        return buffer.buffersWith(more);
    }

    boolean isFull() {
        return buffer.remaining() == 0;
    }

    /** Takes what fits without waiting for memory, and says how much that was. */
    long tryAppend(MemorySegment bytes) {
        long taken = buffer.tryAppend(bytes, 0, bytes.byteSize());
        MemoryChecksums.update(received, bytes.asSlice(0, taken));
        return taken;
    }

    /** Takes what fits, waiting for memory. Interrupted, it keeps what it took so far: the size tells. */
    void append(MemorySegment bytes) throws InterruptedException {
        long before = buffer.size();
        try {
            buffer.append(bytes, 0, bytes.byteSize());
        } finally {
            MemoryChecksums.update(received, bytes.asSlice(0, buffer.size() - before));
        }
    }

    /** The bytes to send, if they are still those that came. */
    Payload payload() throws FileException {
        List<MemorySegment> segments = buffer.segments();
        verify(MemoryChecksums.of(segments));
        return Payload.of(segments);
    }

    /** The bytes to send, to be verified by what the store makes of them. */
    Payload unverifiedPayload() {
        return Payload.of(buffer.segments());
    }

    int receivedChecksum() {
        return (int) received.getValue();
    }

    private void verify(int present) throws FileException {
        if (present != receivedChecksum()) {
            throw corrupted();
        }
    }

    static FileException corrupted() {
        return new FileException(
                new FileFailure.Corrupted(),
                "bytes changed in memory between the program that wrote them and the store; nothing was stored. Check"
                        + " the memory of this machine");
    }

    @Override
    public void close() {
        buffer.close();
    }
}
