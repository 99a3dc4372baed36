package s3csi.s3.http;

import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/** One connection: sends requests, one at a time, and frames the answers. */
final class HttpConnection implements AutoCloseable {
    private static final long IN_USE = 0;
    /** The thread that was sending must get to look at the answer. */
    private static final long TO_NOTICE = TimeUnit.SECONDS.toNanos(2);

    private final Progress progress = new Progress();
    private final PlainWire plain;
    private final Timeouts timeouts;
    private Wire wire;
    /** Ready to be drained: bytes that arrived behind what was asked for. */
    private final ByteBuffer incoming;

    private final ByteBuffer outgoing;
    private final ConnectionBuffers buffers;
    private final Consumer<HttpConnection> onClose;
    private volatile boolean closed;
    private volatile long idleSince = IN_USE;
    private volatile boolean sending;
    private volatile boolean gaveUpSending;
    private volatile long gaveUpAt;
    private boolean used;

    HttpConnection(
            SocketChannel channel, ConnectionBuffers buffers, Timeouts timeouts, Consumer<HttpConnection> onClose) {
        this.plain = new PlainWire(channel, progress);
        this.wire = plain;
        this.buffers = buffers;
        this.incoming = buffers.incoming();
        this.outgoing = buffers.outgoing();
        this.timeouts = timeouts;
        this.onClose = onClose;
    }

    /**
     * Goes on encrypted; only between messages.
     *
     * @param patience how long the other side may be silent in the handshake
     */
    void secure(SSLEngine engine, Duration patience) throws IOException {
        if (incoming.hasRemaining()) {
            // They came in the clear, from anybody; read later, they would pass for decrypted ones.
            throw new ProtocolException("bytes came before the TLS handshake");
        }
        progress.begin(patience);
        progress.run();
        try {
            wire = TlsWire.over(plain, engine, buffers);
        } catch (IOException e) {
            throw explained(e);
        } finally {
            progress.rest();
        }
    }

    /**
     * Sends a request.
     *
     * @param body its buffers are drained
     * @param patience how long the other side may take nothing
     */
    void send(String head, ByteBuffer[] body, Duration patience) throws IOException {
        byte[] bytes = head.getBytes(StandardCharsets.ISO_8859_1);
        if (bytes.length > ConnectionBuffers.LARGEST_HEAD) {
            throw new ProtocolException("the head of the request has " + bytes.length + " bytes; at most "
                    + ConnectionBuffers.LARGEST_HEAD + " are sent");
        }
        outgoing.clear().put(bytes).flip();
        ByteBuffer[] all = new ByteBuffer[body.length + 1];
        all[0] = outgoing;
        System.arraycopy(body, 0, all, 1, body.length);
        progress.begin(patience);
        sending = true;
        progress.run();
        try {
            wire.write(all, 0);
            sending = false;
        } catch (IOException e) {
            throw explained(e);
        } finally {
            progress.rest();
        }
    }

    /** Whether the last request went out whole; if not, nothing else can be sent. */
    boolean hasSentAll() {
        return !sending;
    }

    /** Whether the other side stopped taking the request. What it has to say about that is here by now, or never. */
    boolean gaveUpSending() {
        return gaveUpSending;
    }

    /**
     * Waits for the head of the answer, passing over interim ones.
     *
     * @param patience how long for the head, and for each step of the body; null for the usual times
     */
    ResponseHead receiveHead(@Nullable Duration patience) throws IOException {
        progress.begin(patience == null ? timeouts.firstByte() : patience);
        progress.run();
        try {
            ResponseHead head = nextHead();
            while (head.status() < 200) {
                head = nextHead();
            }
            return head;
        } catch (IOException e) {
            throw explained(e);
        } finally {
            progress.rest();
            progress.begin(patience == null ? timeouts.idle() : patience);
        }
    }

    private ResponseHead nextHead() throws IOException {
        int searched = incoming.position();
        int length = ResponseHead.lengthIn(incoming, searched);
        while (length < 0) {
            searched = incoming.remaining();
            incoming.compact();
            int count;
            try {
                if (!incoming.hasRemaining()) {
                    throw new ProtocolException(
                            "the head of the answer is larger than " + ConnectionBuffers.LARGEST_HEAD + " bytes");
                }
                count = wire.read(incoming);
            } finally {
                incoming.flip();
            }
            if (count < 0) {
                throw incoming.hasRemaining()
                        ? new EOFException("the connection was closed in the middle of the head of the answer")
                        : new NoAnswerException("the connection was closed without an answer");
            }
            length = ResponseHead.lengthIn(incoming, searched);
        }
        byte[] head = new byte[length];
        incoming.get(head);
        return ResponseHead.parse(head);
    }

    int readBody(ByteBuffer target) throws IOException {
        if (incoming.hasRemaining()) {
            int count = Math.min(incoming.remaining(), target.remaining());
            target.put(target.position(), incoming, incoming.position(), count);
            target.position(target.position() + count);
            incoming.position(incoming.position() + count);
            return count;
        }
        return readWire(target);
    }

    int readSmall(byte[] target, int most) throws IOException {
        if (!incoming.hasRemaining() && !refill()) {
            return -1;
        }
        int count = Math.min(most, incoming.remaining());
        incoming.get(target, 0, count);
        return count;
    }

    int readByte() throws IOException {
        return incoming.hasRemaining() || refill() ? incoming.get() & 0xff : -1;
    }

    private boolean refill() throws IOException {
        incoming.clear();
        try {
            return readWire(incoming) >= 0;
        } finally {
            incoming.flip();
        }
    }

    private int readWire(ByteBuffer target) throws IOException {
        progress.run();
        try {
            return wire.read(target);
        } catch (IOException e) {
            throw explained(e);
        } finally {
            progress.rest();
        }
    }

    /** A socket that the watchdog closed says only that it was closed. */
    private IOException explained(IOException e) {
        if (!progress.hasExpired()) {
            return e;
        }
        SocketTimeoutException timeout = new SocketTimeoutException(
                String.format(Locale.ROOT, "no progress within %.1f s", progress.waitNanos() / 1e9));
        timeout.initCause(e);
        return timeout;
    }

    /** For the watchdog: the other side is too slow, or nobody has used the connection for too long. */
    void closeIfOver(long now) {
        long since = idleSince;
        boolean isOld = since != IN_USE && now - since > timeouts.keepAlive().toNanos();
        boolean isOver = progress.isOver(now);
        if (isOver && sending && !gaveUpSending) {
            // A server that has answered may not want the rest. Its answer would be lost with the connection.
            gaveUpAt = now;
            gaveUpSending = true;
            plain.stopSending();
        } else if (isOld || (isOver && !(gaveUpSending && now - gaveUpAt < TO_NOTICE))) {
            close();
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether it has carried an answer before: then silence may just mean that the server closed an idle connection. */
    boolean isUsed() {
        return used;
    }

    /**
     * Whether it stands at the start of the next answer: nothing is left of the last one, nothing has come that was not asked for,
     * and the server has not closed it. Never waits. Bytes that are left would be taken for the answer to the next request.
     */
    boolean isQuiet() {
        try {
            return !incoming.hasRemaining() && wire.isQuiet(outgoing.clear());
        } catch (IOException e) {
            return false;
        }
    }

    /** It waits for the next request. */
    void park() {
        used = true;
        long now = System.nanoTime();
        idleSince = now == IN_USE ? now + 1 : now;
    }

    /** It carries a request again. */
    void unpark() {
        idleSince = IN_USE;
    }

    /** To be used again once nobody uses this connection any more. */
    ConnectionBuffers buffers() {
        return buffers;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        try {
            plain.close();
        } finally {
            onClose.accept(this);
        }
    }
}
