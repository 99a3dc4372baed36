package s3csi.fuse.session;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import s3csi.fuse.DataReply;
import s3csi.fuse.wire.ReplyBytes;
import s3csi.linux.IoVector;
import s3csi.linux.LinuxException;
import s3csi.linux.PageMemory;

/**
 * The native memory that one answer is written in: header and fixed part, a list of pieces, and room for a listing or value,
 * mapped when first needed. One user at a time.
 */
final class Outbox {
    /** Where the body begins: behind the header. */
    static final int BODY = ReplyBytes.HEADER;
    /** Room for the longest name in a notification, which is longer than any answer of fixed size. */
    static final int FIXED = BODY + 4096 + 64;
    /** The longest listing in one answer; the kernel takes shorter ones than it asked for. */
    static final int PAYLOAD = 128 << 10;

    final MemorySegment fixed = Arena.ofAuto().allocate(FIXED, 8);
    final IoVector vector = new IoVector(1 + DataReply.MAX_PIECES);
    private MemorySegment payload = MemorySegment.NULL;

    /** Begins an answer whose pieces follow the header. */
    void begin() {
        vector.clear();
        vector.add(fixed, 0, BODY);
    }

    MemorySegment payload() {
        if (payload.byteSize() == 0) {
            try {
                payload = PageMemory.map(PAYLOAD, Arena.ofAuto());
            } catch (LinuxException e) {
                throw new OutOfMemoryError(e.getMessage());
            }
        }
        return payload;
    }
}
