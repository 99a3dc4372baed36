package s3csi.testbed.sanity;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import s3csi.csi.v1.GetPluginCapabilitiesRequest;
import s3csi.csi.v1.GetPluginCapabilitiesResponse;
import s3csi.csi.v1.GetPluginInfoRequest;
import s3csi.csi.v1.GetPluginInfoResponse;
import s3csi.csi.v1.IdentityGrpc;
import s3csi.csi.v1.NodeGetCapabilitiesRequest;
import s3csi.csi.v1.NodeGetCapabilitiesResponse;
import s3csi.csi.v1.NodeGrpc;
import s3csi.csi.v1.NodeUnpublishVolumeRequest;
import s3csi.csi.v1.NodeUnpublishVolumeResponse;
import s3csi.csi.v1.ProbeRequest;
import s3csi.csi.v1.ProbeResponse;

/**
 * A node on which nothing is mounted. csi-sanity unpublishes every volume from the node before it deletes it, and asks the
 * node's endpoint who it is; so the stand-in has nothing to unpublish, and passes questions of identity on to the driver.
 */
final class NodeStandIn implements AutoCloseable {
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Path socket;
    private final Server server;

    private NodeStandIn(Path socket, ManagedChannel driver) {
        this.socket = socket;
        try {
            server = NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                    .channelType(NioServerDomainSocketChannel.class)
                    .bossEventLoopGroup(loop)
                    .workerEventLoopGroup(loop)
                    .addService(new EmptyNode())
                    .addService(new SameIdentity(IdentityGrpc.newStub(driver)))
                    .build()
                    .start();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot listen on " + socket, failure);
        }
    }

    static NodeStandIn listenOn(Path socket, ManagedChannel driver) {
        return new NodeStandIn(socket, driver);
    }

    Path socket() {
        return socket;
    }

    @Override
    public void close() {
        server.shutdownNow();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private static final class EmptyNode extends NodeGrpc.NodeImplBase {
        @Override
        public void nodeGetCapabilities(
                NodeGetCapabilitiesRequest request, StreamObserver<NodeGetCapabilitiesResponse> answer) {
            answer.onNext(NodeGetCapabilitiesResponse.getDefaultInstance());
            answer.onCompleted();
        }

        @Override
        public void nodeUnpublishVolume(
                NodeUnpublishVolumeRequest request, StreamObserver<NodeUnpublishVolumeResponse> answer) {
            answer.onNext(NodeUnpublishVolumeResponse.getDefaultInstance());
            answer.onCompleted();
        }
    }

    private static final class SameIdentity extends IdentityGrpc.IdentityImplBase {
        private final IdentityGrpc.IdentityStub driver;

        SameIdentity(IdentityGrpc.IdentityStub driver) {
            this.driver = driver;
        }

        @Override
        public void getPluginInfo(GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> answer) {
            driver.getPluginInfo(request, answer);
        }

        @Override
        public void getPluginCapabilities(
                GetPluginCapabilitiesRequest request, StreamObserver<GetPluginCapabilitiesResponse> answer) {
            driver.getPluginCapabilities(request, answer);
        }

        @Override
        public void probe(ProbeRequest request, StreamObserver<ProbeResponse> answer) {
            driver.probe(request, answer);
        }
    }
}
