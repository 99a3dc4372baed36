package s3csi.filesystem.read;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.memory.Buffer;
import s3csi.fuse.DataReply;

/** The pieces of one answer, held in memory until it has been sent. Used again and again by a device thread, so it allocates only to grow. */
final class Pins {
    private static final int USUAL = 16;

    private @Nullable Buffer[] buffers = new Buffer[USUAL];
    private int[] from = new int[USUAL];
    private int[] length = new int[USUAL];
    private int count;

    void add(Buffer buffer, int start, int bytes) {
        if (count == buffers.length) {
            buffers = Arrays.copyOf(buffers, 2 * count);
            from = Arrays.copyOf(from, 2 * count);
            length = Arrays.copyOf(length, 2 * count);
        }
        buffer.retain();
        buffers[count] = buffer;
        from[count] = start;
        length[count] = bytes;
        count++;
    }

    void sendTo(DataReply reply) {
        for (int i = 0; i < count; i++) {
            Buffer buffer = buffers[i];
            if (buffer != null) {
                reply.add(buffer.memory(), from[i], length[i]);
            }
        }
        reply.send();
    }

    void release() {
        for (int i = 0; i < count; i++) {
            Buffer buffer = buffers[i];
            buffers[i] = null;
            if (buffer != null) {
                buffer.release();
            }
        }
        count = 0;
    }
}
