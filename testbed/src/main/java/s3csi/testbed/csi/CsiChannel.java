package s3csi.testbed.csi;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import s3csi.csi.v1.ControllerGrpc;
import s3csi.csi.v1.ControllerGrpc.ControllerBlockingStub;
import s3csi.csi.v1.IdentityGrpc;
import s3csi.csi.v1.IdentityGrpc.IdentityBlockingStub;
import s3csi.csi.v1.NodeGrpc;
import s3csi.csi.v1.NodeGrpc.NodeBlockingStub;

/** A client's connection to a CSI socket, as a sidecar has one. */
public final class CsiChannel implements AutoCloseable {
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ManagedChannel channel;

    private CsiChannel(Path socket) {
        channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioDomainSocketChannel.class)
                .eventLoopGroup(loop)
                .overrideAuthority("localhost")
                .usePlaintext()
                .build();
    }

    public static CsiChannel to(Path socket) {
        return new CsiChannel(socket);
    }

    public ManagedChannel grpc() {
        return channel;
    }

    public IdentityBlockingStub identity() {
        return IdentityGrpc.newBlockingStub(channel).withWaitForReady().withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    public ControllerBlockingStub controller() {
        return ControllerGrpc.newBlockingStub(channel).withWaitForReady().withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    public NodeBlockingStub node() {
        return NodeGrpc.newBlockingStub(channel).withWaitForReady().withDeadlineAfter(120, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        channel.shutdownNow();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
