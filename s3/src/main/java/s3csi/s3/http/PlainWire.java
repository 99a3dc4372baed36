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
