package s3csi.s3.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import s3csi.s3.Condition;
import s3csi.s3.ETag;
import s3csi.s3.ObjectAttributes;
import s3csi.s3.Payload;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;

/** A server that answers before it has the whole body is heard where it refuses, and not believed where it says that all is well. */
class EarlyAnswerFaultTest extends FaultFixture {
    private static final String REFUSAL = "HTTP/1.1 403 Forbidden\r\ncontent-length: 61\r\n\r\n"
            + "<Error><Code>AccessDenied</Code><Message>no</Message></Error>";

    private ETag putMuch(HttpObjectStore store) throws StoreException {
        return store.put("key", Payload.of(arena.allocate(50_000_000)), ObjectAttributes.DEFAULTS, Condition.NONE);
    }

    @Test
    void anEarlyRefusalIsHeardAlthoughTheBodyIsNotTaken() {
        HttpObjectStore store = storeOf((_, reply) -> reply.error(403, "AccessDenied"));

        StoreException e = failureOf(() -> putMuch(store), StoreFailure.Forbidden.class);

        assertThat(e).hasMessageContaining("allow s3:PutObject");
    }

    @Test
    void anEarlyRefusalIsHeardAlthoughTheServerReadsNoFurther() throws Exception {
        try (ServerSocket listener = new ServerSocket()) {
            // Little room, so that the sender is stuck.
            listener.setReceiveBufferSize(4096);
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            CountDownLatch heard = new CountDownLatch(1);
            Thread server = Thread.ofVirtual().start(() -> answerEarly(listener, heard, REFUSAL));
            try (HttpObjectStore store = new HttpObjectStore(options()
                    .timeouts(idleFor(Duration.ofMillis(500)))
                    .endpoint(URI.create("http://127.0.0.1:" + listener.getLocalPort())))) {
                StoreException e = failureOf(() -> putMuch(store), StoreFailure.Forbidden.class);
                assertThat(e).hasMessageContaining("allow s3:PutObject").hasMessageContaining("403 AccessDenied");
            }
            heard.countDown();
            server.join();
            assertThat(waits).isEmpty();
        }
    }

    /** A server or proxy that answers before it has all, and says that all is well. */
    @Test
    void anEarlySuccessIsNone() throws Exception {
        try (ServerSocket listener = new ServerSocket()) {
            listener.setReceiveBufferSize(4096);
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            CountDownLatch heard = new CountDownLatch(1);
            Thread server = Thread.ofVirtual()
                    .start(() -> answerEarly(
                            listener, heard, "HTTP/1.1 200 OK\r\netag: \"e\"\r\ncontent-length: 0\r\n\r\n"));
            try (HttpObjectStore store = new HttpObjectStore(options()
                    .attempts(1)
                    .patience(Duration.ZERO)
                    .timeouts(idleFor(Duration.ofMillis(500)))
                    .endpoint(URI.create("http://127.0.0.1:" + listener.getLocalPort())))) {
                assertThatThrownBy(() -> putMuch(store)).isInstanceOf(StoreException.class);
            }
            heard.countDown();
            server.join();
        }
    }

    /** Reads the head, answers, and neither reads on nor closes. What comes on other connections is not heard. */
    private static void answerEarly(ServerSocket listener, CountDownLatch heard, String answer) {
        try (Socket socket = listener.accept()) {
            int newlines = 0;
            while (newlines < 2) {
                int b = socket.getInputStream().read();
                newlines = b == '\n' ? newlines + 1 : b == '\r' ? newlines : 0;
            }
            socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            heard.await();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
