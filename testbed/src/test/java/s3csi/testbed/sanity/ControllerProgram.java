package s3csi.testbed.sanity;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import s3csi.csi.v1.IdentityGrpc;
import s3csi.csi.v1.ProbeRequest;
import s3csi.csi.v1.ProbeResponse;
import s3csi.testbed.process.Await;
import s3csi.testbed.process.ChildProcess;
import s3csi.testbed.s3.S3Server;

/** The driver as built, in the role of the controller, with its CSI socket in a directory of ours. */
final class ControllerProgram implements AutoCloseable {
    private static final Duration READY_WITHIN = Duration.ofSeconds(60);

    private final Path socket;
    private final ChildProcess process;
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ManagedChannel channel;

    private ControllerProgram(Path socket, ChildProcess process) {
        this.socket = socket;
        this.process = process;
        this.channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioDomainSocketChannel.class)
                .eventLoopGroup(loop)
                .overrideAuthority("localhost")
                .usePlaintext()
                .build();
    }

    static ControllerProgram start(S3Server store, Path socket, Path log) {
        Path program = Path.of("..", "build", "bin", "scality-s3-csi-driver")
                .toAbsolutePath()
                .normalize();
        if (!Files.isExecutable(program)) {
            throw new IllegalStateException(program + " is not there. ./s3csi build makes it");
        }
        var process = ChildProcess.start(
                List.of(program.toString(), "--endpoint=unix://" + socket, "--http-endpoint=127.0.0.1:0"),
                Map.of(
                        "CSI_CONTROLLER_ONLY", "true",
                        "CSI_NODE_NAME", "controller",
                        "AWS_ENDPOINT_URL", store.endpoint().toString(),
                        "AWS_REGION", store.region(),
                        "AWS_ACCESS_KEY_ID", store.root().accessKeyId(),
                        "AWS_SECRET_ACCESS_KEY", store.root().secretAccessKey(),
                        "JAVA_HOME", System.getProperty("java.home"),
                        "HOME", String.valueOf(socket.getParent())),
                log);
        var started = new ControllerProgram(socket, process);
        try {
            Await.until(READY_WITHIN, () -> process.story("is not ready after " + READY_WITHIN), started::isReady);
            return started;
        } catch (RuntimeException failure) {
            started.close();
            throw failure;
        }
    }

    Path socket() {
        return socket;
    }

    ManagedChannel channel() {
        return channel;
    }

    private boolean isReady() {
        if (!process.isAlive()) {
            throw new IllegalStateException(process.story("ended before it was ready"));
        }
        try {
            ProbeResponse answer = IdentityGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(Duration.ofSeconds(5))
                    .probe(ProbeRequest.getDefaultInstance());
            return !answer.hasReady() || answer.getReady().getValue();
        } catch (StatusRuntimeException notYet) {
            return false;
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        process.close();
    }
}
