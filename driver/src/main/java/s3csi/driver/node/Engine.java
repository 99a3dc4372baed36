package s3csi.driver.node;

import java.time.Duration;
import s3csi.linux.PeerCredentials;

/** A process that serves a mount, or will. */
interface Engine {
    boolean isAlive();

    /** Whether this engine may be the one at the other end of a socket. */
    boolean isPeer(PeerCredentials peer);

    /** What it said last in its log, for a failure it gave no report of. */
    byte[] lastWords();

    /** Waits for its end; false when the time is over. */
    boolean awaitEnd(Duration patience);

    /** Ends it at once. */
    void kill();
}
