package s3csi.testbed.s3;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A bad network on demand: stands between a client and a server on loopback, and passes bytes until told otherwise. Its
 * own port stays the same whatever the switch says.
 */
public final class TcpProxy implements AutoCloseable {
    /** What happens to connections, those that exist and those to come. */
    private enum Mode {
        PASS,
        REFUSE,
        BLACKHOLE,
        BUSY
    }

    private static final byte[] BUSY =
            "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".getBytes(ISO_8859_1);

    private final URI server;
    private final InetSocketAddress address;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable String> nextAnswerToLose = new AtomicReference<>();
    private final AtomicInteger answersLost = new AtomicInteger();
    private volatile Mode mode = Mode.PASS;
    private volatile Duration latency = Duration.ZERO;
    private @Nullable ServerSocket listener;

    private TcpProxy(URI server, ServerSocket listener) {
        this.server = server;
        this.address = new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
        this.listener = listener;
        acceptFrom(listener);
    }

    public static TcpProxy before(URI server) {
        try {
            return new TcpProxy(server, new ServerSocket(0, 0, InetAddress.getLoopbackAddress()));
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot open a proxy on loopback", failure);
        }
    }

    /** The server's address with the proxy's port. */
    public URI endpoint() {
        return URI.create(server.getScheme() + "://127.0.0.1:" + address.getPort());
    }

    /** All is well again. Connections that were cut or swallowed stay broken. */
    public synchronized void pass() {
        cutConnections();
        mode = Mode.PASS;
        listen();
    }

    /** The port is closed: new connections are refused, those that exist are cut. */
    public synchronized void refuse() {
        mode = Mode.REFUSE;
        closeListener();
        cutConnections();
    }

    /** Connections open, and nothing ever comes back; what is under way stalls. */
    public synchronized void blackhole() {
        mode = Mode.BLACKHOLE;
        listen();
    }

    /** What is connected stays so, and carries nothing any more: nobody is told. New connections are as good as ever. */
    public void stallConnections() {
        connections.forEach(connection -> connection.isStalled = true);
    }

    /** Every request is answered with 503, as by a load balancer without a server; only for a server without TLS. */
    public synchronized void answerBusy() {
        mode = Mode.BUSY;
        cutConnections();
        listen();
    }

    /** From now on a new connection carries what the client says so much later, as a longer wire would; nothing gets narrower. */
    public void delayRequests(Duration by) {
        latency = by;
    }

    /** The next request is processed by the server, but the client sees its connection cut instead of an answer. */
    public void loseNextAnswer() {
        loseNextAnswer("");
    }

    /** As {@link #loseNextAnswer()}, for the next request that begins so, for example {@code "PUT "}. */
    public void loseNextAnswer(String beginningOfRequest) {
        if (!server.getScheme().equals("http")) {
            throw new IllegalStateException("inside TLS a request cannot be told from a handshake: use a plain server");
        }
        nextAnswerToLose.set(beginningOfRequest);
    }

    /** How many answers were thrown away so far. */
    public int answersLost() {
        return answersLost.get();
    }

    @Override
    public synchronized void close() {
        refuse();
    }

    private void listen() {
        if (listener == null) {
            try {
                var reopened = new ServerSocket();
                reopened.setReuseAddress(true);
                reopened.bind(address);
                listener = reopened;
                acceptFrom(reopened);
            } catch (IOException failure) {
                throw new UncheckedIOException("cannot open the proxy's port again", failure);
            }
        }
    }

    private void closeListener() {
        if (listener != null) {
            try {
                listener.close();
            } catch (IOException failure) {
                throw new UncheckedIOException("cannot close the proxy's port", failure);
            }
            listener = null;
        }
    }

    private void cutConnections() {
        connections.forEach(Connection::cut);
    }

    private void acceptFrom(ServerSocket from) {
        Thread.ofVirtual().name("tcp-proxy").start(() -> {
            while (!from.isClosed()) {
                try {
                    serve(from.accept());
                } catch (IOException closed) {
                    // The switch closed the port, or one client gave up early; the loop condition tells which.
                }
            }
        });
    }

    private void serve(Socket client) {
        var connection = new Connection(client);
        connections.add(connection);
        if (mode == Mode.REFUSE) {
            connection.cut();
        } else {
            Thread.ofVirtual().start(connection::run);
        }
    }

    /** One client with its connection to the server; two threads, one for each direction. */
    private final class Connection {
        private final Socket client;
        private final Socket upstream = new Socket();
        private volatile boolean isDoomed;
        private volatile boolean isStalled;

        Connection(Socket client) {
            this.client = client;
        }

        void run() {
            try {
                if (mode == Mode.PASS) {
                    upstream.connect(new InetSocketAddress(server.getHost(), server.getPort()));
                    // Else small pieces wait for the other side's delayed acknowledgement: 40 ms that no network has.
                    upstream.setTcpNoDelay(true);
                    client.setTcpNoDelay(true);
                    Thread.ofVirtual().start(this::answers);
                }
                if (upstream.isConnected() && !latency.isZero()) {
                    try (var line = new DelayLine(upstream.getOutputStream(), latency)) {
                        requests(line);
                    }
                } else {
                    requests(upstream.isConnected() ? upstream.getOutputStream() : OutputStream.nullOutputStream());
                }
                if (upstream.isConnected()) {
                    upstream.shutdownOutput();
                } else {
                    cut();
                }
            } catch (IOException broken) {
                cut();
            }
        }

        private void requests(OutputStream out) throws IOException {
            InputStream in = client.getInputStream();
            byte[] buffer = new byte[64 * 1024];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                if (isStalled) {
                    continue;
                }
                if (mode == Mode.BUSY && !client.isOutputShutdown()) {
                    client.getOutputStream().write(BUSY);
                    client.shutdownOutput();
                } else if (mode == Mode.PASS && upstream.isConnected()) {
                    doomIfChosen(buffer, count);
                    out.write(buffer, 0, count);
                }
            }
        }

        private void answers() {
            try {
                InputStream in = upstream.getInputStream();
                OutputStream out = client.getOutputStream();
                byte[] buffer = new byte[64 * 1024];
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    // The permission to send the body is not the answer: the server has not done anything yet.
                    if (isDoomed && !beginsWith(buffer, count, "HTTP/1.1 100")) {
                        answersLost.incrementAndGet();
                        break;
                    }
                    if (mode == Mode.PASS && !isStalled) {
                        out.write(buffer, 0, count);
                    }
                }
            } catch (IOException broken) {
                // One side went away; the other learns it by the cut below.
            }
            if (mode == Mode.PASS && !isStalled) {
                cut();
            }
        }

        private void doomIfChosen(byte[] request, int count) {
            String beginning = nextAnswerToLose.get();
            if (beginning != null
                    && beginsWith(request, count, beginning)
                    && nextAnswerToLose.compareAndSet(beginning, null)) {
                isDoomed = true;
            }
        }

        private static boolean beginsWith(byte[] bytes, int count, String beginning) {
            return count >= beginning.length()
                    && new String(bytes, 0, beginning.length(), ISO_8859_1).equals(beginning);
        }

        void cut() {
            connections.remove(this);
            closeQuietly(client);
            closeQuietly(upstream);
        }

        private static void closeQuietly(Socket socket) {
            try {
                socket.close();
            } catch (IOException alreadyBroken) {
                // Nothing is left to close.
            }
        }
    }
}
