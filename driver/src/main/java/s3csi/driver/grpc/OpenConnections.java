package s3csi.driver.grpc;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import java.util.LinkedHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds the number of connections: each costs memory for as long as its client likes, whether it ever calls or not. When there are as
 * many as may be, the one without a call that has been silent longest gives way to the newest. So those that only wait cannot keep
 * others out, and a client that finds its connection closed when it next calls opens another.
 *
 * <p>It stands in the pipeline of the server's channel, where connections come out, and in that of each connection, where it sees that a
 * client said something. All of it happens on the one thread of the event loop.
 */
@Sharable
final class OpenConnections extends ChannelInboundHandlerAdapter {
    /** Far more than kubelet and sidecars have. A connection takes some 7 KiB at rest and 30 KiB while its call waits. */
    static final int MOST = 512;

    private static final Logger LOG = LoggerFactory.getLogger(OpenConnections.class);

    /** The one that has been silent longest first. */
    private final LinkedHashMap<Channel, Boolean> open = new LinkedHashMap<>(16, 0.75f, true);

    private final Heard heard = new Heard();

    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
        if (accepted instanceof Channel connection) {
            makeRoom();
            open.put(connection, true);
            connection.closeFuture().addListener(_ -> open.remove(connection));
            connection.pipeline().addLast(heard);
        }
        context.fireChannelRead(accepted);
    }

    private void makeRoom() {
        if (open.size() < MOST) {
            return;
        }
        Channel silent = open.keySet().stream()
                .filter(OpenConnections::isIdle)
                .findFirst()
                .orElseGet(open.sequencedKeySet()::getFirst);
        open.remove(silent);
        LOG.debug("there are {} connections; one that has been silent for long is closed", MOST);
        // Not through its pipeline, where HTTP/2 would wait for calls that may never end.
        silent.unsafe().close(silent.unsafe().voidPromise());
    }

    /** Whether no call is under way on it. */
    private static boolean isIdle(Channel connection) {
        Http2ConnectionHandler protocol = connection.pipeline().get(Http2ConnectionHandler.class);
        return protocol == null || protocol.connection().numActiveStreams() == 0;
    }

    @Sharable
    private final class Heard extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object bytes) {
            // Getting it makes it the last in order.
            open.get(context.channel());
            context.fireChannelRead(bytes);
        }
    }
}
