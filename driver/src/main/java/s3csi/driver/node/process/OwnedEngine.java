package s3csi.driver.node.process;

import java.time.Duration;
import s3csi.driver.node.source.Engine;
import s3csi.linux.PeerCredentials;

/** An engine that the driver starts and ends. */
interface OwnedEngine extends Engine {
    /** Whether it may be the one at the other end of a socket. */
    boolean isPeer(PeerCredentials peer);

    /** Waits for its end; false if it did not come in time. */
    boolean awaitEnd(Duration patience);

    /** Ends it at once. */
    void kill();
}
