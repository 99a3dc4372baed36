package s3csi.s3.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Connections to one origin, and requests on them.
 *
 * <p>There are never more connections than allowed; a request waits for one. The one used last is used first, so that a burst's
 * extra connections grow old and are closed. Before a kept one is used again it is looked at: one on which bytes are left, or come
 * by themselves, would give its next user the answer to another request, and is closed instead.
 */
public final class HttpClient implements AutoCloseable {
    /** An answer that came while we were sending is here already. */
    private static final Duration EARLY_ANSWER = Duration.ofSeconds(1);

    private final Connector connector;
    private final Timeouts timeouts;
    private final Watchdog watchdog;
    private final Semaphore permits;
    private final ConcurrentLinkedDeque<HttpConnection> idle = new ConcurrentLinkedDeque<>();
    private final ConcurrentLinkedQueue<ConnectionBuffers> spare = new ConcurrentLinkedQueue<>();
    private final IntConsumer onConnections;
    private volatile boolean closed;

    /** A client whose connections go wherever the system sends them, and whose number is of no interest. */
    public HttpClient(Origin origin, Trust trust, ProxySettings proxies, Timeouts timeouts, int mostConnections) {
        this(origin, trust, proxies, timeouts, SocketSetup.NONE, mostConnections, _ -> {});
    }

    /** @param onConnections hears by how much the number of open connections changed */
    public HttpClient(
            Origin origin,
            Trust trust,
            ProxySettings proxies,
            Timeouts timeouts,
            SocketSetup setup,
            int mostConnections,
            IntConsumer onConnections) {
        this.watchdog = new Watchdog(timeouts);
        this.timeouts = timeouts;
        this.permits = new Semaphore(mostConnections);
        this.onConnections = onConnections;
        this.connector = new Connector(origin, trust, proxies, timeouts, setup);
    }

    /**
     * Sends a request and waits for the head of its answer. A kept connection that the server closed meanwhile is replaced
     * without a word; any other trouble is the caller's.
     *
     * @param body read only, from its start
     * @param patience how long each step of the answer may take; null for the usual times
     */
    public HttpExchange send(RequestHead request, List<MemorySegment> body, @Nullable Duration patience)
            throws IOException {
        String head = request.render(connector.targetPrefix(), connector.hopHeaders());
        acquire();
        boolean handedOver = false;
        try {
            HttpExchange exchange = sendOnSomeConnection(request, head, body, patience);
            handedOver = true;
            return exchange;
        } finally {
            if (!handedOver) {
                permits.release();
            }
        }
    }

    /** The same for a small body, from the heap. */
    public HttpExchange send(RequestHead request, byte[] body, @Nullable Duration patience) throws IOException {
        return send(request, List.of(MemorySegment.ofArray(body)), patience);
    }

    private void acquire() throws InterruptedIOException {
        try {
            permits.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted =
                    new InterruptedIOException("interrupted while waiting for a connection");
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    private HttpExchange sendOnSomeConnection(
            RequestHead request, String head, List<MemorySegment> body, @Nullable Duration patience)
            throws IOException {
        boolean wasSent = false;
        while (true) {
            HttpConnection connection = connection(patience);
            boolean kept = false;
            try {
                ResponseHead answer = exchange(connection, head, body, patience);
                ResponseBody answerBody =
                        ResponseBody.of(connection, answer, request.method().equals("HEAD"));
                kept = true;
                return new HttpExchange(
                        this, connection, answer, answerBody, connection.hasSentAll() && answer.keepsAlive(), wasSent);
            } catch (IOException e) {
                boolean wasStale = connection.isUsed() && isSignOfStaleness(e);
                if (!wasStale || closed || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                wasSent = true;
            } finally {
                if (!kept) {
                    retire(connection);
                }
            }
        }
    }

    /**
     * Reset or closed before the first byte of an answer, by the server or, just now, by our own watchdog; or bytes of an earlier
     * answer that came after the connection was looked at.
     */
    private static boolean isSignOfStaleness(IOException e) {
        return e instanceof NoAnswerException
                || e instanceof NoStatusLineException
                || e instanceof SocketException
                || e instanceof ClosedChannelException
                || e.getClass() == IOException.class;
    }

    private ResponseHead exchange(
            HttpConnection connection, String head, List<MemorySegment> body, @Nullable Duration patience)
            throws IOException {
        try {
            connection.send(head, buffers(body), timeouts.idleFor(patience));
        } catch (IOException e) {
            // A server may refuse a large body by answering early, and close or read no further; that answer says more
            // than the broken pipe.
            if (body.isEmpty() || connection.isClosed() || e instanceof ClosedChannelException) {
                throw e;
            }
            ResponseHead early = earlyAnswer(connection, patience, e);
            // Nobody can have stored what was not sent.
            if (early.status() >= 200 && early.status() <= 299) {
                throw e;
            }
            return early;
        }
        return connection.receiveHead(patience);
    }

    private static ResponseHead earlyAnswer(HttpConnection connection, @Nullable Duration patience, IOException failure)
            throws IOException {
        try {
            return connection.receiveHead(connection.gaveUpSending() ? EARLY_ANSWER : patience);
        } catch (IOException second) {
            failure.addSuppressed(second);
            throw failure;
        }
    }

    private static ByteBuffer[] buffers(List<MemorySegment> body) {
        ByteBuffer[] buffers = new ByteBuffer[body.size()];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = body.get(i).asByteBuffer();
        }
        return buffers;
    }

    private HttpConnection connection(@Nullable Duration patience) throws IOException {
        for (HttpConnection waiting = idle.pollFirst(); waiting != null; waiting = idle.pollFirst()) {
            waiting.unpark();
            if (!waiting.isClosed() && waiting.isQuiet()) {
                return waiting;
            }
            retire(waiting);
        }
        checkOpen();
        ConnectionBuffers kept = spare.poll();
        ConnectionBuffers buffers = kept == null ? new ConnectionBuffers() : kept;
        boolean opened = false;
        try {
            HttpConnection connection =
                    connector.open(buffers, patience, this::connectionOpened, this::connectionClosed);
            opened = true;
            if (closed) {
                connection.close();
            }
            return connection;
        } finally {
            if (!opened) {
                spare.offer(buffers);
            }
        }
    }

    private void connectionOpened(HttpConnection connection) {
        onConnections.accept(1);
        watchdog.watch(connection);
    }

    /** Nobody uses it any more, and nobody will. */
    private void retire(HttpConnection connection) {
        connection.close();
        spare.offer(connection.buffers());
    }

    /** On any thread: the user of the connection, the watchdog, or who closes the client. */
    private void connectionClosed(HttpConnection connection) {
        watchdog.forget(connection);
        onConnections.accept(-1);
        if (idle.remove(connection)) {
            spare.offer(connection.buffers());
        }
    }

    private void checkOpen() throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
    }

    void giveBack(HttpConnection connection, boolean reusable) {
        try {
            if (!reusable || closed) {
                retire(connection);
                return;
            }
            connection.park();
            idle.addFirst(connection);
            if (closed) {
                connection.close();
            }
        } finally {
            permits.release();
        }
    }

    /** Closes the connections that carry no request; the next requests are sent on new ones. */
    public void closeIdle() {
        idle.forEach(HttpConnection::close);
    }

    @Override
    public void close() {
        closed = true;
        watchdog.watched().forEach(HttpConnection::close);
    }

    public boolean isClosed() {
        return closed;
    }
}
