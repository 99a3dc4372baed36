package s3csi.driver.grpc;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gRPC server of the CSI services.
 *
 * <p>If the socket's file disappears or is replaced, clients can no longer reach us although we still listen. A watchman
 * notices within a second, says not ready, and listens again.
 */
public final class CsiServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CsiServer.class);

    /** As 2.x; the largest legal CSI message is far smaller. */
    private static final int LARGEST_MESSAGE = 2 << 20;

    private static final Duration WATCH_PERIOD = Duration.ofSeconds(1);
    private static final int LOOP_END_MILLIS = 500;

    private final EndpointAddress address;
    private final List<BindableService> services;
    private final List<ServerInterceptor> interceptors;
    private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
    private final EventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("csi-io", true), NioIoHandler.newFactory());
    private final Thread watchman = new Thread(this::watch, "csi-socket-watchman");
    private final @Nullable UnixSocket socket;

    private volatile @Nullable Server server;
    private volatile boolean stopping;

    public CsiServer(EndpointAddress address, List<BindableService> services, List<ServerInterceptor> interceptors) {
        this.address = address;
        this.services = services;
        this.interceptors = interceptors;
        this.socket = address instanceof EndpointAddress.Unix unix ? new UnixSocket(unix.path()) : null;
        watchman.setDaemon(true);
    }

    public void start() throws IOException {
        listen();
        if (socket != null) {
            watchman.start();
        }
    }

    /** Whether a client that connects now reaches us. */
    public boolean isListening() {
        return server != null && !stopping && (socket == null || socket.isInPlace());
    }

    public int port() {
        Server running = server;
        return running == null ? -1 : running.getPort();
    }

    /** Lets running calls end within the time, then breaks them off. */
    public void stop(Duration patience) {
        stopping = true;
        watchman.interrupt();
        Server running = server;
        if (running != null) {
            running.shutdown();
            try {
                // Not followed by shutdownNow: a client takes its reset for Cancelled, or hears nothing if the loop
                // ends
                // first. Interrupted calls answer, and a connection that ends without an answer is Unavailable.
                running.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        calls.shutdownNow();
        loop.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS).awaitUninterruptibly(LOOP_END_MILLIS);
        removeSocket();
    }

    @Override
    public void close() {
        stop(Duration.ZERO);
    }

    private synchronized void listen() throws IOException {
        if (socket == null) {
            server = build(((EndpointAddress.Tcp) address).address(), NioServerSocketChannel.class);
            return;
        }
        Path unfinished = socket.unfinished();
        Server bound = build(UnixDomainSocketAddress.of(unfinished), NioServerDomainSocketChannel.class);
        try {
            socket.putInPlace(unfinished);
        } catch (IOException e) {
            bound.shutdownNow();
            throw e;
        }
        server = bound;
    }

    private Server build(SocketAddress where, Class<? extends io.netty.channel.ServerChannel> channel)
            throws IOException {
        NettyServerBuilder builder = NettyServerBuilder.forAddress(where)
                .channelType(channel)
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .executor(calls)
                .maxInboundMessageSize(LARGEST_MESSAGE);
        services.forEach(builder::addService);
        interceptors.forEach(builder::intercept);
        return builder.build().start();
    }

    private void watch() {
        UnixSocket watched = socket;
        while (!stopping && watched != null) {
            try {
                Thread.sleep(WATCH_PERIOD);
            } catch (InterruptedException e) {
                return;
            }
            if (!stopping && !watched.isInPlace()) {
                listenAgain();
            }
        }
    }

    private void listenAgain() {
        LOG.warn("the socket {} was removed or replaced; listening again", address);
        Server lost = server;
        try {
            listen();
        } catch (IOException | RuntimeException e) {
            LOG.error("cannot listen on {} again; trying once a second", address, e);
            return;
        }
        if (lost != null) {
            lost.shutdown();
        }
    }

    private void removeSocket() {
        try {
            if (socket != null) {
                socket.remove();
            }
        } catch (IOException e) {
            LOG.warn("cannot remove the socket {}; the next start replaces it", address, e);
        }
    }
}
