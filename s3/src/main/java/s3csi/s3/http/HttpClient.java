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
import java.util.concurrent.Semaphore;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Connections to one origin, and requests on them.
 *
 * <p>There are never more connections than allowed; a request waits for one. The one used last is used first, so that a burst's
 * extra connections grow old and are closed.
 */
public final class HttpClient implements AutoCloseable {
    private final Connector connector;
    private final Timeouts timeouts;
    private final Watchdog watchdog;
    private final Semaphore permits;
    private final ConcurrentLinkedDeque<HttpConnection> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    /** @param onConnections hears by how much the number of open connections changed */
    public HttpClient(
            Origin origin,
            Trust trust,
            ProxySettings proxies,
            Timeouts timeouts,
            int mostConnections,
            IntConsumer onConnections) {
        this.timeouts = timeouts;
        this.watchdog = new Watchdog(timeouts);
        this.permits = new Semaphore(mostConnections);
        this.connector = new Connector(origin, trust, proxies, timeouts, watchdog, onConnections);
    }

    /**
     * Sends a request and waits for the head of its answer. A kept connection that the server closed meanwhile is replaced
     * without a word; any other trouble is the caller's.
     *
     * @param body read only, from its start
     * @param firstByte how long the answer may take; null for the usual time
     */
    public HttpExchange send(RequestHead request, List<MemorySegment> body, @Nullable Duration firstByte)
            throws IOException {
        Duration wait = firstByte == null ? timeouts.firstByte() : firstByte;
        String head = request.render(connector.targetPrefix(), connector.hopHeaders());
        acquire();
        boolean handedOver = false;
        try {
            HttpExchange exchange = sendOnSomeConnection(request, head, body, wait);
            handedOver = true;
            return exchange;
        } finally {
            if (!handedOver) {
                permits.release();
            }
        }
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

    private HttpExchange sendOnSomeConnection(RequestHead request, String head, List<MemorySegment> body, Duration wait)
            throws IOException {
        while (true) {
            HttpConnection connection = connection();
            boolean kept = false;
            try {
                ResponseHead answer = exchange(connection, head, body, wait);
                ResponseBody answerBody =
                        ResponseBody.of(connection, answer, request.method().equals("HEAD"));
                kept = true;
                return new HttpExchange(this, connection, answer, answerBody, keepsAlive(answer));
            } catch (IOException e) {
                boolean wasStale = connection.isUsed() && isSignOfStaleness(e);
                if (!wasStale || closed || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
            } finally {
                if (!kept) {
                    connection.close();
                }
            }
        }
    }

    /** Reset or closed before the first byte of an answer. */
    private static boolean isSignOfStaleness(IOException e) {
        return e instanceof NoAnswerException || e.getClass() == IOException.class || e instanceof SocketException;
    }

    private static ResponseHead exchange(
            HttpConnection connection, String head, List<MemorySegment> body, Duration wait) throws IOException {
        try {
            connection.send(head, buffers(body));
        } catch (IOException e) {
            // A server may refuse a large body by answering early and closing; that answer says more than the broken
            // pipe.
            if (body.isEmpty() || connection.isClosed() || e instanceof ClosedChannelException) {
                throw e;
            }
            try {
                return connection.receiveHead(wait);
            } catch (IOException second) {
                e.addSuppressed(second);
                throw e;
            }
        }
        return connection.receiveHead(wait);
    }

    private static ByteBuffer[] buffers(List<MemorySegment> body) {
        ByteBuffer[] buffers = new ByteBuffer[body.size()];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = body.get(i).asByteBuffer();
        }
        return buffers;
    }

    private static boolean keepsAlive(ResponseHead answer) {
        String connection = answer.headerOrEmpty("connection");
        return answer.isHttp10() ? connection.equalsIgnoreCase("keep-alive") : !connection.equalsIgnoreCase("close");
    }

    private HttpConnection connection() throws IOException {
        long oldest = System.nanoTime() - timeouts.keepAlive().toNanos();
        for (HttpConnection kept = idle.pollFirst(); kept != null; kept = idle.pollFirst()) {
            if (!kept.isClosed() && !kept.isIdleSince(oldest)) {
                return kept;
            }
            kept.close();
        }
        checkOpen();
        HttpConnection connection = connector.open();
        if (closed) {
            connection.close();
        }
        return connection;
    }

    private void checkOpen() throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
    }

    void giveBack(HttpConnection connection, boolean reusable) {
        try {
            if (!reusable || closed) {
                connection.close();
                return;
            }
            long now = System.nanoTime();
            connection.markUsed(now);
            idle.addFirst(connection);
            dropOld(now);
            if (closed) {
                connection.close();
            }
        } finally {
            permits.release();
        }
    }

    private void dropOld(long now) {
        long oldest = now - timeouts.keepAlive().toNanos();
        HttpConnection last = idle.peekLast();
        while (last != null && last.isIdleSince(oldest) && idle.removeLastOccurrence(last)) {
            last.close();
            last = idle.peekLast();
        }
    }

    /** Closes every connection that carries no request; for what changes under them, such as certificates. */
    public void dropIdle() {
        for (HttpConnection kept = idle.pollFirst(); kept != null; kept = idle.pollFirst()) {
            kept.close();
        }
    }

    /** How many connections are open, with or without a request. */
    public int openConnections() {
        return watchdog.watched().size();
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
