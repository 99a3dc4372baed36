package s3csi.s3.bench;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import s3csi.s3.http.RequestHead;

/** Netty on its NIO transport, with a handler that copies each piece of content to its place. */
final class NettyContender implements Contender {
    private static final int CHUNK = 64 * 1024;

    private final Task task;
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final BlockingQueue<Connection> idle = new LinkedBlockingQueue<>();

    NettyContender(Task task) throws Exception {
        this.task = task;
        SslContext tls = task.isSecure()
                ? SslContextBuilder.forClient()
                        .trustManager(JdkContender.trustManagers(task.authority()))
                        .build()
                : null;
        for (int i = 0; i < task.streams(); i++) {
            idle.add(connect(tls));
        }
    }

    private Connection connect(@Nullable SslContext tls) throws Exception {
        Receiver receiver = new Receiver();
        Channel channel = new Bootstrap()
                .group(group)
                .channel(NioSocketChannel.class)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel made) {
                        if (tls != null) {
                            made.pipeline()
                                    .addLast(tls.newHandler(
                                            made.alloc(),
                                            task.address().getHost(),
                                            task.address().getPort()));
                        }
                        made.pipeline().addLast(new HttpClientCodec(4096, 16_384, CHUNK), receiver);
                    }
                })
                .connect(task.address().getHost(), task.address().getPort())
                .sync()
                .channel();
        return new Connection(channel, receiver);
    }

    private record Connection(Channel channel, Receiver receiver) {}

    private static final class Receiver extends SimpleChannelInboundHandler<HttpObject> {
        private ByteBuffer target = ByteBuffer.allocate(0);
        private CompletableFuture<Integer> done = new CompletableFuture<>();
        private int status;

        CompletableFuture<Integer> expect(ByteBuffer space) {
            target = space;
            done = new CompletableFuture<>();
            return done;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, HttpObject message) {
            if (message instanceof HttpResponse response) {
                status = response.status().code();
            }
            if (message instanceof HttpContent content) {
                int count = content.content().readableBytes();
                content.content().readBytes(target.slice(target.position(), count));
                target.position(target.position() + count);
            }
            if (message instanceof LastHttpContent) {
                done.complete(status);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            done.completeExceptionally(cause);
        }
    }

    @Override
    public void fetch(long offset, MemorySegment target) throws Exception {
        RequestHead head = task.request(offset, target.byteSize());
        DefaultFullHttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, head.path());
        for (int i = 0; i < head.headerCount(); i++) {
            request.headers().add(head.headerName(i), head.headerValue(i));
        }
        Connection connection = idle.take();
        ByteBuffer space = target.asByteBuffer();
        CompletableFuture<Integer> done = connection.receiver().expect(space);
        connection.channel().writeAndFlush(request).sync();
        int status = done.get();
        idle.add(connection);
        if (status != 206 || space.hasRemaining()) {
            throw new IllegalStateException("status " + status + ", " + space.remaining() + " bytes missing");
        }
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
