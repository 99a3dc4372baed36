package s3csi.fuse.session;

import java.time.Duration;
import java.util.Optional;
import s3csi.fuse.Negotiated;

/**
 * A connection being served: device threads that read requests and give them to a file system.
 *
 * <p>The session owns the device from its start on and closes it at its end. It does not mount and does not
 * unmount. It ends when the mount goes away, when the connection is aborted, or by {@link #stop}.
 */
public interface FuseSession {
    /** Waits until INIT is settled. Empty if the session ended before, or the time is over. */
    Optional<Negotiated> awaitStarted(Duration timeout) throws InterruptedException;

    /** Waits for the end. Empty if the time is over. */
    Optional<SessionEnd> awaitEnd(Duration timeout) throws InterruptedException;

    /** Waits for the end, however long it takes. */
    SessionEnd awaitEnd() throws InterruptedException;

    /**
     * Stops reading, at once, and waits until the device threads are through with what they have. Requests that were handed over
     * may still be answered for that long; then they are interrupted and given up, so that whoever takes the connection over gets
     * them again. Without anybody else holding the descriptor the mount is dead after this.
     */
    void stop(Duration grace) throws InterruptedException;

    SessionCounters counters();
}
