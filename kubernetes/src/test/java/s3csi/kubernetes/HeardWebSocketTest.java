package s3csi.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HeardWebSocketTest {
    private static final Duration PING = Duration.ofMillis(50);

    /** Another side that answers so many pings. */
    private static final class Peer implements WebSocket {
        private final AtomicInteger answers;
        private final AtomicInteger pings = new AtomicInteger();
        private volatile boolean isAborted;
        private HeardWebSocket heard = new HeardWebSocket(new Listener() {}, PING);

        Peer(int answers) {
            this.answers = new AtomicInteger(answers);
        }

        @Override
        public CompletableFuture<WebSocket> sendPing(ByteBuffer message) {
            pings.incrementAndGet();
            if (answers.getAndDecrement() > 0) {
                heard.onPong(this, message);
            }
            return CompletableFuture.completedFuture(this);
        }

        @Override
        public CompletableFuture<WebSocket> sendText(CharSequence data, boolean isLast) {
            return CompletableFuture.completedFuture(this);
        }

        @Override
        public CompletableFuture<WebSocket> sendBinary(ByteBuffer data, boolean isLast) {
            return CompletableFuture.completedFuture(this);
        }

        @Override
        public CompletableFuture<WebSocket> sendPong(ByteBuffer message) {
            return CompletableFuture.completedFuture(this);
        }

        @Override
        public CompletableFuture<WebSocket> sendClose(int statusCode, String reason) {
            return CompletableFuture.completedFuture(this);
        }

        @Override
        public void request(long n) {}

        @Override
        public String getSubprotocol() {
            return "";
        }

        @Override
        public boolean isOutputClosed() {
            return false;
        }

        @Override
        public boolean isInputClosed() {
            return isAborted;
        }

        @Override
        public void abort() {
            isAborted = true;
        }
    }

    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    private Peer open(int answers) {
        Peer peer = new Peer(answers);
        peer.heard = new HeardWebSocket(
                new WebSocket.Listener() {
                    @Override
                    public void onError(WebSocket socket, Throwable error) {
                        told.add(String.valueOf(error.getMessage()));
                    }
                },
                PING);
        peer.heard.onOpen(peer);
        return peer;
    }

    @Test
    void aPeerThatFallsSilentIsGivenUpAndTheListenerToldOnce() throws Exception {
        Peer peer = open(5);
        assertThat(told.poll(20, TimeUnit.SECONDS)).contains("nothing was heard");
        assertThat(peer.isAborted).isTrue();
        assertThat(peer.pings).hasValueGreaterThanOrEqualTo(5);
        peer.heard.onError(peer, new IllegalStateException("aborted"));
        assertThat(told).isEmpty();
    }

    @Test
    void aPeerThatAnswersIsKept() throws Exception {
        Peer peer = open(Integer.MAX_VALUE);
        assertThat(told.poll(PING.toMillis() * 20, TimeUnit.MILLISECONDS)).isNull();
        assertThat(peer.isAborted).isFalse();
        peer.abort();
    }
}
