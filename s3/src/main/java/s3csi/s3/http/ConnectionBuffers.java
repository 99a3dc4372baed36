package s3csi.s3.http;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of one connection. They outlive it and serve the next one: the JDK gives native memory back only when the
 * heap is collected, and a server that closes after every answer would run us out of it.
 */
final class ConnectionBuffers {
    /** Heads are a kilobyte or two; what is larger is not an S3 server. */
    static final int LARGEST_HEAD = 16 * 1024;

    private final ByteBuffer incoming = ByteBuffer.allocateDirect(LARGEST_HEAD);
    private final ByteBuffer outgoing = ByteBuffer.allocateDirect(LARGEST_HEAD);
    private @Nullable Tls tls;

    /**
     * What TLS needs besides: several records from the network, one record too many for the reader, one on its way out.
     *
     * @param encrypted on the heap, because the JDK decrypts in place and only heap arrays reach its fast code without further
     *     copies: 0.40 instead of 0.53 CPU seconds a gigabyte, and half the garbage
     */
    record Tls(int packet, ByteBuffer encrypted, ByteBuffer spill, ByteBuffer outgoing) {
        /** Several records per system call; more gains nothing measurable. */
        private static final int RECORDS_PER_READ = 4;

        static Tls of(int packet) {
            return new Tls(
                    packet,
                    ByteBuffer.allocate(RECORDS_PER_READ * packet),
                    ByteBuffer.allocateDirect(packet),
                    ByteBuffer.allocateDirect(packet));
        }
    }

    /** Empty, ready to be drained. */
    ByteBuffer incoming() {
        return incoming.clear().limit(0);
    }

    ByteBuffer outgoing() {
        return outgoing.clear();
    }

    Tls tls(int packet) {
        Tls kept = tls;
        if (kept == null || kept.packet != packet) {
            kept = Tls.of(packet);
            tls = kept;
        }
        return kept;
    }
}
