package s3csi.s3.http;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A stream of bytes to the other side, in the clear or encrypted. Not for several threads at once. */
sealed interface Wire permits PlainWire, TlsWire {
    /** Puts at least one byte into the target; -1 at the end of the stream. A failure may come after some bytes. */
    int read(ByteBuffer target) throws IOException;

    /** Sends all that remains in the sources, from the first index on. */
    void write(ByteBuffer[] sources, int from) throws IOException;
}
