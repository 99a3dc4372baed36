package s3csi.fuse.session;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import s3csi.fuse.WriteData;

/** The data of the WRITE that a device thread handles at the moment; one per thread. */
final class LentWriteData implements WriteData {
    private final RequestBuffers buffers;
    private MemorySegment buffer = MemorySegment.NULL;
    private int from;
    private int size = -1;
    private @Nullable MemorySegment replacement;

    LentWriteData(RequestBuffers buffers) {
        this.buffers = buffers;
    }

    void lend(MemorySegment request, int position, int bytes) {
        buffer = request;
        from = position;
        size = bytes;
    }

    /** Ends the loan; the buffer that the thread goes on with, or null for the one it has. */
    @Nullable
    MemorySegment end() {
        MemorySegment next = replacement;
        replacement = null;
        buffer = MemorySegment.NULL;
        size = -1;
        return next;
    }

    @Override
    public int size() {
        mustBeLent();
        return size;
    }

    @Override
    public MemorySegment bytes() {
        mustBeLent();
        return buffer.asSlice(from, size);
    }

    @Override
    public Kept keep() {
        return keep(size);
    }

    @Override
    public Kept keepSome() {
        return keep(buffers.roomFor(size));
    }

    private Kept keep(int length) {
        mustBeLent();
        MemorySegment spare = buffers.takeSpare();
        Kept kept;
        if (spare == null) {
            kept = buffers.keptCopy(buffer, from, length);
        } else {
            replacement = spare;
            kept = buffers.keptInPlace(buffer, from, size);
        }
        buffer = MemorySegment.NULL;
        size = -1;
        return kept;
    }

    private void mustBeLent() {
        if (size < 0) {
            throw new IllegalStateException(
                    "the bytes of a WRITE were used after its handler returned or kept them; use what"
                            + " keep() returned");
        }
    }
}
