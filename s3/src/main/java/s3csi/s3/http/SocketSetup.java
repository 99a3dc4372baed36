package s3csi.s3.http;

import java.io.IOException;
import java.nio.channels.SocketChannel;

/** What is done with a socket before it connects: the place to choose its way through the network. */
@FunctionalInterface
public interface SocketSetup {
    /** Leaves the way to the system. */
    SocketSetup NONE = _ -> {};

    /**
     * Called with a channel that is neither bound nor connected.
     *
     * @throws IOException if it cannot go that way; the connection fails then, and may be tried again
     */
    void prepare(SocketChannel channel) throws IOException;
}
