package s3csi.s3.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Bytes as they are. */
final class PlainWire implements Wire {
    private static final Logger LOG = LoggerFactory.getLogger(PlainWire.class);

    private final SocketChannel channel;
    private final Progress progress;

    PlainWire(SocketChannel channel, Progress progress) {
        this.channel = channel;
        this.progress = progress;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        int count = channel.read(target);
        progress.moved(count);
        return count;
    }

    /** Like {@link #read}, but 0 when nothing has come yet. */
    int readWithoutWaiting(ByteBuffer target) throws IOException {
        // On virtual threads this changes no flag of the socket: the JDK has put it into this mode for good.
        channel.configureBlocking(false);
        try {
            return channel.read(target);
        } finally {
            channel.configureBlocking(true);
        }
    }

    @Override
    public boolean isQuiet(ByteBuffer scratch) throws IOException {
        return readWithoutWaiting(scratch) == 0;
    }

    @Override
    public void write(ByteBuffer[] sources, int from) throws IOException {
        int at = from;
        while (at < sources.length) {
            if (sources[at].hasRemaining()) {
                progress.moved(channel.write(sources, at, sources.length - at));
            } else {
                at++;
            }
        }
    }

    /** Ends a write that blocks, and leaves what came in to be read. */
    void stopSending() {
        try {
            channel.shutdownOutput();
        } catch (IOException e) {
            LOG.debug("a socket was closed already", e);
        }
    }

    /** Never blocks, and ends what blocks in the other calls. */
    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // The descriptor is given back in any case.
            LOG.debug("closing a socket failed", e);
        }
    }
}
