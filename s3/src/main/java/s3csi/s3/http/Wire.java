package s3csi.s3.http;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A stream of bytes to the other side, in the clear or encrypted. Not for several threads at once. */
sealed interface Wire permits PlainWire, TlsWire {
    /** Puts at least one byte into the target or fails, never both; -1 at the end of the stream. */
    int read(ByteBuffer target) throws IOException;

    /**
     * Whether the stream goes on and nothing has come that was not read. Never waits.
     *
     * @param scratch for what may have come, which is lost
     */
    boolean isQuiet(ByteBuffer scratch) throws IOException;

    /** Sends all that remains in the sources, from the first index on. */
    void write(ByteBuffer[] sources, int from) throws IOException;
}
