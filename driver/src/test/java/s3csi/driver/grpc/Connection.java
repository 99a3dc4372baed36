package s3csi.driver.grpc;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;

/** A client's connection to a socket. */
public record Connection(ManagedChannel channel, MultiThreadIoEventLoopGroup loop) implements AutoCloseable {
    public static Connection to(Path socket) {
        var loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        ManagedChannel channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
                .eventLoopGroup(loop)
                .usePlaintext()
                .build();
        return new Connection(channel, loop);
    }

    @Override
    public void close() {
        channel.shutdownNow();
        loop.shutdownGracefully().awaitUninterruptibly(1_000);
    }
}
