package s3csi.s3.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * TLS on another wire. Records are decrypted straight into the reader's buffer; what does not fit there goes to a buffer of one
 * record and is handed out first by the next read.
 *
 * <p>It never sends close_notify: every body has a length of its own, so nobody can mistake a cut for an end.
 */
final class TlsWire implements Wire {
    private static final ByteBuffer[] NOTHING = {ByteBuffer.allocate(0)};

    private final PlainWire wire;
    private final SSLEngine engine;
    /** Ready to be drained. */
    private final ByteBuffer encrypted;
    /** Ready to be drained. */
    private final ByteBuffer spill;

    private final ByteBuffer outgoing;
    private final ByteBuffer[] outgoingOnly;
    private final ByteBuffer[] targets = new ByteBuffer[2];
    private boolean ended;
    /** What the next read will fail with: it came behind bytes that were good. */
    private @Nullable IOException failure;

    private TlsWire(PlainWire wire, SSLEngine engine, ConnectionBuffers.Tls buffers) {
        this.wire = wire;
        this.engine = engine;
        encrypted = buffers.encrypted().clear().limit(0);
        spill = buffers.spill().clear().limit(0);
        outgoing = buffers.outgoing().clear();
        outgoingOnly = new ByteBuffer[] {outgoing};
    }

    /** Shakes hands; certificates and host name are checked here. */
    static TlsWire over(PlainWire wire, SSLEngine engine, ConnectionBuffers buffers) throws IOException {
        TlsWire tls = new TlsWire(wire, engine, buffers.tls(engine.getSession().getPacketBufferSize()));
        engine.beginHandshake();
        tls.shakeHands();
        return tls;
    }

    private void shakeHands() throws IOException {
        while (true) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> runTasks();
                case NEED_WRAP -> wrap(NOTHING, 0);
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (unwrap(NOTHING[0]) == SSLEngineResult.Status.BUFFER_UNDERFLOW && !fill()) {
                        throw new SSLException("the server closed the connection during the TLS handshake");
                    }
                    if (spill.hasRemaining()) {
                        throw new SSLException("the server renegotiates in the middle of an answer");
                    }
                }
                case FINISHED, NOT_HANDSHAKING -> {
                    return;
                }
            }
        }
    }

    private void runTasks() {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        int before = target.position();
        if (spill.hasRemaining()) {
            drainSpill(target);
            return target.position() - before;
        }
        if (failure != null) {
            throw failure;
        }
        try {
            while (target.hasRemaining() && !ended) {
                if (unwrap(target) != SSLEngineResult.Status.BUFFER_UNDERFLOW) {
                    goOnWithHandshake();
                } else if (target.position() > before) {
                    break;
                } else {
                    ended = !fill();
                }
            }
        } catch (IOException e) {
            if (target.position() == before) {
                throw e;
            }
            failure = e;
        }
        int count = target.position() - before;
        return count == 0 && ended ? -1 : count;
    }

    /**
     * Answers what the other side asks for in the middle of a connection. Its close_notify is left unanswered: with TLS 1.2 the
     * engine wants to answer that, too, but it has come behind the last record that is of interest.
     */
    private void goOnWithHandshake() throws IOException {
        if (!ended && engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
            shakeHands();
        }
    }

    /** Tickets for later sessions may come at any time and are nobody's answer. */
    @Override
    public boolean isQuiet(ByteBuffer scratch) throws IOException {
        while (!spill.hasRemaining() && failure == null && !ended) {
            if (unwrap(NOTHING[0]) != SSLEngineResult.Status.BUFFER_UNDERFLOW) {
                if (engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
                    return false;
                }
            } else if (!fillWithoutWaiting()) {
                return !ended && !encrypted.hasRemaining();
            }
        }
        return false;
    }

    private void drainSpill(ByteBuffer target) {
        int count = Math.min(spill.remaining(), target.remaining());
        target.put(target.position(), spill, spill.position(), count);
        target.position(target.position() + count);
        spill.position(spill.position() + count);
    }

    private SSLEngineResult.Status unwrap(ByteBuffer target) throws IOException {
        int before = target.position();
        spill.clear();
        targets[0] = target;
        targets[1] = spill;
        SSLEngineResult result;
        try {
            result = engine.unwrap(encrypted, targets, 0, 2);
        } catch (SSLException e) {
            target.position(before);
            spill.clear();
            throw e;
        } finally {
            targets[0] = spill;
            spill.flip();
        }
        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
            ended = true;
        } else if (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
            throw new SSLException("a TLS record is larger than the protocol allows");
        }
        return result.getStatus();
    }

    private boolean fill() throws IOException {
        encrypted.compact();
        try {
            return wire.read(encrypted) >= 0;
        } finally {
            encrypted.flip();
        }
    }

    /** Whether something came. */
    private boolean fillWithoutWaiting() throws IOException {
        encrypted.compact();
        try {
            int count = wire.readWithoutWaiting(encrypted);
            ended = count < 0;
            return count > 0;
        } finally {
            encrypted.flip();
        }
    }

    @Override
    public void write(ByteBuffer[] sources, int from) throws IOException {
        int at = from;
        while (at < sources.length) {
            if (sources[at].hasRemaining()) {
                wrap(sources, at);
            } else {
                at++;
            }
        }
    }

    private void wrap(ByteBuffer[] sources, int from) throws IOException {
        outgoing.clear();
        SSLEngineResult result = engine.wrap(sources, from, sources.length - from, outgoing);
        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
            throw new NoAnswerException("the server closed the TLS connection");
        }
        outgoing.flip();
        wire.write(outgoingOnly, 0);
    }
}
