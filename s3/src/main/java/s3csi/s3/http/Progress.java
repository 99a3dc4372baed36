package s3csi.s3.http;

import java.time.Duration;

/**
 * The deadline of a connection. The thread that uses the connection sets it, the watchdog reads it.
 *
 * <p>Within a phase the time left grows again only with every {@link Timeouts#LEAST_PROGRESS} bytes: a server that drips is as
 * dead as one that is silent. Time runs only while we wait for the other side, so a reader may be as slow as it likes.
 */
final class Progress {
    private static final long NONE = Long.MAX_VALUE;

    private long wait;
    private long left;
    private long moved;
    private volatile long deadline = NONE;
    private volatile boolean expired;

    /** A new phase, in which the other side has so long for each step. */
    void begin(Duration wait) {
        this.wait = wait.toNanos();
        left = this.wait;
        moved = 0;
        expired = false;
    }

    /** From here on we wait for the other side. */
    void run() {
        deadline = System.nanoTime() + left;
    }

    /** The other side did its part for now. */
    void rest() {
        left = Math.max(0, deadline - System.nanoTime());
        deadline = NONE;
    }

    /** So many bytes arrived or were taken; negative at the end of the stream. */
    void moved(long count) {
        moved += Math.max(0, count);
        if (moved >= Timeouts.LEAST_PROGRESS) {
            moved = 0;
            deadline = System.nanoTime() + wait;
        }
    }

    /** Whether the deadline has passed; remembered, because the closed socket cannot tell why it was closed. */
    boolean isOver(long now) {
        long when = deadline;
        if (when != NONE && now - when >= 0) {
            expired = true;
        }
        return expired;
    }

    boolean hasExpired() {
        return expired;
    }

    long waitNanos() {
        return wait;
    }
}
