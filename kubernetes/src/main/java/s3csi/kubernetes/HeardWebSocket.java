package s3csi.kubernetes;

import java.io.IOException;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One who listens to a WebSocket and pings its other side. Where nothing is heard any more, the listener is told that it has ended. */
final class HeardWebSocket implements WebSocket.Listener {
    /** One answer may be late, and a second one is already odd. */
    private static final int UNANSWERED = 3;

    private final WebSocket.Listener listener;
    private final Duration ping;
    private final AtomicBoolean hasEnded = new AtomicBoolean();
    private volatile long heard = System.nanoTime();

    HeardWebSocket(WebSocket.Listener listener, Duration ping) {
        this.listener = listener;
        this.ping = ping;
    }

    @Override
    public void onOpen(WebSocket socket) {
        heard = System.nanoTime();
        Thread.ofVirtual().name("ping").start(() -> ping(socket));
        listener.onOpen(socket);
    }

    private void ping(WebSocket socket) {
        try {
            while (!hasEnded.get() && !socket.isInputClosed()) {
                if (System.nanoTime() - heard > ping.multipliedBy(UNANSWERED).toNanos()) {
                    end(socket);
                    return;
                }
                // That it cannot be sent is noticed by who reads.
                var _ = socket.sendPing(ByteBuffer.allocate(0));
                Thread.sleep(ping);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void end(WebSocket socket) {
        if (!hasEnded.getAndSet(true)) {
            socket.abort();
            listener.onError(
                    socket,
                    new IOException("nothing was heard from the API server for "
                            + ping.multipliedBy(UNANSWERED).toSeconds() + " seconds"));
        }
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean isLast) {
        heard = System.nanoTime();
        return listener.onText(socket, data, isLast);
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean isLast) {
        heard = System.nanoTime();
        return listener.onBinary(socket, data, isLast);
    }

    @Override
    public @Nullable CompletionStage<?> onPing(WebSocket socket, ByteBuffer message) {
        heard = System.nanoTime();
        return listener.onPing(socket, message);
    }

    @Override
    public @Nullable CompletionStage<?> onPong(WebSocket socket, ByteBuffer message) {
        heard = System.nanoTime();
        return listener.onPong(socket, message);
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
        hasEnded.set(true);
        return listener.onClose(socket, status, reason);
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
        if (!hasEnded.getAndSet(true)) {
            listener.onError(socket, error);
        }
    }
}
