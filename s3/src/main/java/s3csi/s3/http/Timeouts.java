package s3csi.s3.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long to wait for the other side.
 *
 * @param connect for a TCP connection
 * @param firstByte from the last byte of the request to the head of the answer
 * @param idle for the next {@link #LEAST_PROGRESS} bytes of a body in either direction; also for a TLS handshake
 * @param keepAlive how long an unused connection is kept
 */
public record Timeouts(Duration connect, Duration firstByte, Duration idle, Duration keepAlive) {
    /** A byte now and then keeps a connection alive for TCP, but not for us. */
    static final int LEAST_PROGRESS = 4096;

    public static final Timeouts DEFAULTS =
            new Timeouts(Duration.ofSeconds(3), Duration.ofSeconds(15), Duration.ofSeconds(15), Duration.ofSeconds(30));

    /** How long the other side may be silent before it answers, for somebody with that patience; null for the usual. */
    Duration idleFor(@Nullable Duration patience) {
        return patience == null || patience.compareTo(idle) > 0 ? idle : patience;
    }

    public Timeouts withFirstByte(Duration wait) {
        return new Timeouts(connect, wait, idle, keepAlive);
    }
}
