package s3csi.driver.grpc;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gRPC server of the CSI services, or of what else kubelet finds behind a socket.
 *
 * <p>If the socket's file disappears or is replaced, clients can no longer reach us although we still listen. A watchman
 * notices within a second, says not ready, and listens again.
 */
public final class CsiServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CsiServer.class);

    /** As 2.x; a legal CSI message is far smaller, and what is larger is refused in words up to here. */
    private static final int LARGEST_MESSAGE = 2 << 20;

    private static final int LARGEST_HEADERS = 8 << 10;

    /** How much of a request may wait in memory before the driver wants it; most requests are smaller as a whole. */
    private static final int WINDOW = 16 << 10;

    private static final int CALLS_OF_A_CONNECTION = 128;

    /** With the time that a call itself may take, it is answered within 90 s. */
    private static final Duration TURN_PATIENCE = Duration.ofSeconds(20);

    /** Clients send the request with the call. */
    private static final Duration REQUEST_WITHIN = Duration.ofSeconds(10);

    private static final Duration WATCH_PERIOD = Duration.ofSeconds(1);
    private static final int LOOP_END_MILLIS = 500;

    private final EndpointAddress address;
    private final List<BindableService> services;
    private final Admission admission;
    private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
    private final EventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("csi-io", true), NioIoHandler.newFactory());
    private final OpenConnections connections = new OpenConnections();
    private final Thread watchman = new Thread(this::watch, "csi-socket-watchman");
    private final @Nullable UnixSocket socket;

    private volatile @Nullable Server server;
    private volatile boolean stopping;

    public CsiServer(EndpointAddress address, List<BindableService> services, CallLog log) {
        this(address, services, new Admission(log, TURN_PATIENCE, REQUEST_WITHIN));
    }

    CsiServer(EndpointAddress address, List<BindableService> services, Admission admission) {
        this.address = address;
        this.services = services;
        this.admission = admission;
        this.socket = address instanceof EndpointAddress.Unix unix ? new UnixSocket(unix.path()) : null;
        watchman.setDaemon(true);
    }

    public void start() throws IOException {
        try {
            listen();
        } catch (IOException e) {
            throw new IOException("cannot listen on " + address + ": " + innermost(e), e);
        }
        if (socket != null) {
            watchman.start();
        }
    }

    /** The reason is below: gRPC's own words are only that it did not work, with the name that is bound for a moment. */
    private static String innermost(IOException failure) {
        Throwable last = failure;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        return String.valueOf(last.getMessage());
    }

    /** Whether a client that connects now reaches us. */
    public boolean isListening() {
        // An event loop that ended, as after an error of the JVM, serves nobody; only a new process can.
        return server != null && !stopping && !loop.isShuttingDown() && (socket == null || socket.isInPlace());
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
            server = build(((EndpointAddress.Tcp) address).address(), NioServerSocketChannel::new);
            return;
        }
        Path unfinished = socket.unfinished();
        Server bound = build(UnixDomainSocketAddress.of(unfinished), NioServerDomainSocketChannel::new);
        try {
            socket.putInPlace(unfinished);
        } catch (IOException e) {
            bound.shutdownNow();
            throw e;
        }
        server = bound;
    }

    private Server build(SocketAddress where, Supplier<ServerChannel> channel) throws IOException {
        NettyServerBuilder builder = NettyServerBuilder.forAddress(where)
                .channelFactory(() -> bounded(channel.get()))
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .executor(calls)
                .maxInboundMessageSize(LARGEST_MESSAGE)
                .maxInboundMetadataSize(LARGEST_HEADERS)
                .flowControlWindow(WINDOW)
                .maxConcurrentCallsPerConnection(CALLS_OF_A_CONNECTION);
        services.forEach(service -> builder.addService(admission.guard(service)));
        return builder.build().start();
    }

    private ServerChannel bounded(ServerChannel listener) {
        listener.pipeline().addLast(connections);
        return listener;
    }

    private void watch() {
        UnixSocket watched = socket;
        while (!stopping && watched != null) {
            try {
                Thread.sleep(WATCH_PERIOD);
            } catch (InterruptedException e) {
                return;
            }
            try {
                if (!stopping && !watched.isInPlace()) {
                    listenAgain();
                }
            } catch (OutOfMemoryError e) {
                LOG.warn("cannot look at the socket {} now; trying once a second", address, e);
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
