package s3csi.s3.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.s3.Condition;
import s3csi.s3.CopySource;
import s3csi.s3.ETag;
import s3csi.s3.ObjectAttributes;
import s3csi.s3.ObjectInfo;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.http.Timeouts;
import s3csi.s3.testing.Nobody;
import s3csi.s3.testing.ScriptedServer;

/** What passes by itself is tried again, and for how long. */
class RetryFaultTest extends FaultFixture {
    private static final String HEAD_ANSWER = "HTTP/1.1 200 OK\r\ncontent-length: 7\r\netag: \"abc123\"\r\n\r\n";

    @ParameterizedTest
    @ValueSource(ints = {408, 429, 500, 502, 503, 504})
    void aStatusThatPassesIsTriedAgain(int status) throws Exception {
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.number() <= 3) {
                reply.answer(status, "", "");
            } else {
                reply.send(HEAD_ANSWER);
            }
        });

        ObjectInfo info = store.head("key");

        assertThat(info.size()).isEqualTo(7);
        assertThat(server().requests()).hasSize(4);
        assertThat(waits).hasSize(3);
        assertThat(observed)
                .containsExactly(
                        "HeadObject " + status, "HeadObject " + status, "HeadObject " + status, "HeadObject 200");
    }

    @Test
    void anObjectWithoutETagIsAnAnswerThatIsNotS3() {
        HttpObjectStore store = storeOf((_, reply) -> reply.send("HTTP/1.1 200 X\r\ncontent-length: 7\r\n\r\n"));

        StoreException e = failureOf(() -> store.head("key"), StoreFailure.Protocol.class);

        assertThat(e).hasMessageContaining("HeadObject of \"key\"").hasMessageContaining("has no ETag");
        assertThat(server().requests()).hasSize(1);
    }

    @Test
    void plainWordsOfAServerAreShown() {
        String words = "Client sent an HTTP request to an HTTPS server.";
        HttpObjectStore store = storeOf((_, reply) -> reply.answer(400, "", words + "\n"));

        StoreException e = failureOf(() -> read(store, 0, 10), StoreFailure.Rejected.class);

        assertThat(e).hasMessageContaining('"' + words + '"').hasMessageContaining("400");
    }

    @Test
    void thePageOfALoadBalancerIsNotShown() {
        HttpObjectStore store = storeOf((_, reply) -> reply.answer(400, "", "<html><br>Bad Request</html>"));

        StoreException e = failureOf(() -> read(store, 0, 10), StoreFailure.Rejected.class);

        assertThat(e).hasMessageContaining("no explanation given");
    }

    @Test
    void aServerThatSpeaksNoTlsIsNotTriedAgain() throws Exception {
        try (ServerSocket plain = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            Thread server = Thread.ofVirtual().start(() -> answerPlainly(plain));
            HttpStoreOptions secure = options().endpoint(URI.create("https://127.0.0.1:" + plain.getLocalPort()));
            try (HttpObjectStore store = new HttpObjectStore(secure)) {
                StoreException e = failureOf(() -> store.head("key"), StoreFailure.Protocol.class);
                assertThat(e).hasMessageContaining("does not speak TLS");
            }
            server.join();
            assertThat(waits).isEmpty();
        }
    }

    private static void answerPlainly(ServerSocket plain) {
        try (Socket socket = plain.accept()) {
            assertThat(socket.getInputStream().read()).isPositive();
            socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aStoreThatStaysBusyIsGivenUpAfterTenAttempts() {
        HttpObjectStore store = storeOf((_, reply) -> reply.error(503, "SlowDown"));

        StoreException e = failureOf(() -> read(store, 0, 10), StoreFailure.Throttled.class);

        assertThat(e).hasMessageContaining("failed after 10 attempts: ").hasMessageContaining("503 SlowDown");
        assertThat(server().requests()).hasSize(10);
        assertThat(waits).hasSize(9).allMatch(wait -> wait.compareTo(Duration.ofSeconds(20)) <= 0);
    }

    @Test
    void theNumberOfAttemptsIsASetting() {
        HttpObjectStore store = storeOf(
                new ScriptedServer((_, reply) -> reply.error(500, "InternalError")),
                options().attempts(2));

        failureOf(() -> read(store, 0, 10), StoreFailure.ServerError.class);

        assertThat(server().requests()).hasSize(2);
    }

    @Test
    void aStoreThatFailsForEverybodyIsNotHammered() {
        HttpObjectStore store = storeOf((_, reply) -> reply.error(500, "InternalError"));

        for (int i = 0; i < 50; i++) {
            failureOf(() -> read(store, 0, 10), StoreFailure.ServerError.class);
        }

        // 500 tokens at 5 a retry: a hundred retries, then every call is tried once.
        assertThat(server().requests()).hasSize(150);
    }

    @ParameterizedTest
    @CsvSource({"close", "reset"})
    void aConnectionThatBreaksBeforeTheAnswerIsReplaced(String how) throws Exception {
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.number() == 1) {
                if (how.equals("reset")) {
                    reply.reset();
                } else {
                    reply.close();
                }
            } else {
                reply.send(HEAD_ANSWER);
            }
        });

        assertThat(store.head("key").size()).isEqualTo(7);
        assertThat(waits).hasSize(1);
    }

    @Test
    void aKeptConnectionThatTheServerClosedIsReplacedWithoutARetry() throws Exception {
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.number() == 2) {
                reply.close();
            } else {
                reply.send(HEAD_ANSWER);
            }
        });

        store.head("key");
        store.head("key");

        assertThat(server().requests()).hasSize(3);
        assertThat(server().connections()).isEqualTo(2);
        assertThat(waits).isEmpty();
    }

    @Test
    void aConnectionThatNobodyUsesIsClosed() throws Exception {
        HttpObjectStore store = storeOf(
                new ScriptedServer((_, reply) -> reply.send(HEAD_ANSWER)),
                options()
                        .timeouts(new Timeouts(
                                Duration.ofSeconds(20),
                                Duration.ofSeconds(20),
                                Duration.ofSeconds(20),
                                Duration.ofMillis(1))));
        store.head("key");

        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (connections.get() > 0 && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }

        assertThat(connections.get()).isZero();
        assertThat(store.head("key").size()).isEqualTo(7);
        assertThat(server().connections()).isEqualTo(2);
    }

    @Test
    void aLongOperationMayDripWhiteSpace() throws Exception {
        HttpObjectStore store = storeOf(
                new ScriptedServer((_, reply) -> {
                    reply.send("HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n");
                    // Longer than the idle timeout of other requests.
                    for (int i = 0; i < 30; i++) {
                        reply.send("1\r\n \r\n");
                        ReadFaultTest.pause();
                    }
                    reply.send(
                            "43\r\n<CopyObjectResult><ETag>&quot;abc&quot;</ETag></CopyObjectResult>  \r\n0\r\n\r\n");
                }),
                options().timeouts(idleFor(Duration.ofMillis(200))));

        assertThat(store.copy(new CopySource("a", new ETag("abc")), "b", Condition.NONE))
                .isEqualTo(new ETag("abc"));
        assertThat(server().requests()).hasSize(1);
    }

    @Test
    void aConnectionIsUsedAgain() throws Exception {
        HttpObjectStore store = storeOf((_, reply) -> reply.send(HEAD_ANSWER));

        for (int i = 0; i < 20; i++) {
            store.head("key");
        }

        assertThat(server().connections()).isEqualTo(1);
    }

    @Test
    void aServerThatNeverAnswersTimesOutAndIsAskedAgain() throws Exception {
        HttpObjectStore store = storeOf(
                new ScriptedServer((request, reply) -> {
                    if (request.number() == 1) {
                        reply.stall();
                    } else {
                        reply.send(HEAD_ANSWER);
                    }
                }),
                // The second answer has to come within this time, too.
                options().timeouts(firstByteWithin(Duration.ofSeconds(2))));

        assertThat(store.head("key").size()).isEqualTo(7);
        assertThat(server().connections()).isEqualTo(2);
    }

    @Test
    void aServerThatNeverAnswersAnybodyIsATimeout() {
        HttpObjectStore store = storeOf(
                new ScriptedServer((_, reply) -> reply.stall()),
                options().attempts(2).timeouts(firstByteWithin(Duration.ofMillis(200))));

        StoreException e = failureOf(() -> store.head("key"), StoreFailure.Timeout.class);

        assertThat(e).hasMessageContaining("no progress within 0.2 s");
    }

    @Test
    void nobodyListeningIsUnreachable() throws Exception {
        try (Nobody nobody = new Nobody()) {
            HttpObjectStore store = new HttpObjectStore(options().endpoint(nobody.endpoint()));

            StoreException e = failureOf(() -> store.head("key"), StoreFailure.Unreachable.class);

            assertThat(e).hasMessageContaining("no connection to http://127.0.0.1");
            assertThat(waits).hasSize(9);
        }
    }

    @Test
    void anInterruptWhileWaitingToRetryCancels() throws Exception {
        HttpObjectStore store = storeOf(
                new ScriptedServer((_, reply) -> reply.error(503, "SlowDown")),
                options().time(Clock.systemUTC(), new Random(1), _ -> {
                    throw new InterruptedException("as the test says");
                }));
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread caller = Thread.ofVirtual().start(() -> {
            failure.set(failureOf(() -> store.head("key"), StoreFailure.Cancelled.class));
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        });
        caller.join();

        assertThat(failure.get()).isNotNull();
    }

    /** Each failure must make room for the next request, or the last connection is soon gone. */
    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void requestsThatFailedLeaveRoomForOthers() throws Exception {
        HttpObjectStore store = storeOf(
                new ScriptedServer((request, reply) -> {
                    if (request.number() <= 3) {
                        reply.close();
                    } else {
                        reply.send("HTTP/1.1 200 X\r\ncontent-length: 7\r\netag: \"abc123\"\r\n\r\n");
                    }
                }),
                options().connections(1).attempts(4));

        assertThat(store.head("key").size()).isEqualTo(7);
        assertThat(store.head("key").size()).isEqualTo(7);
    }

    /** The rest would be taken for the answer to the next request, should it come after all. */
    @Test
    void aConnectionWhoseAnswerIsNotOverIsNotUsedAgain() throws Exception {
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.number() == 1) {
                reply.send("HTTP/1.1 404 X\r\ncontent-length: 10000000\r\n\r\n<Error><Code>NoSuchKey</Code></Error>"
                        + " ".repeat(100_000));
            } else {
                reply.send("HTTP/1.1 200 X\r\ncontent-length: 7\r\netag: \"abc123\"\r\n\r\n");
            }
        });

        failureOf(() -> read(store, 0, 10), StoreFailure.NoSuchKey.class);

        assertThat(store.head("key").size()).isEqualTo(7);
        assertThat(server().connections()).isEqualTo(2);
    }

    /** Nothing is there to be seen when the connection is looked at. */
    @Test
    void aConnectionWhoseAnswerHasNotComeYetIsNotUsedAgain() throws Exception {
        HttpObjectStore store =
                storeOf((request, reply) -> reply.send("HTTP/1.1 200 X\r\netag: \"abc123\"\r\ncontent-length: "
                        + (request.number() == 1 ? "10000000" : "0") + "\r\n\r\n"));

        for (int i = 0; i < 2; i++) {
            store.put("key", payload(random(10)), ObjectAttributes.DEFAULTS, Condition.NONE);
        }

        assertThat(server().connections()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"close", "Close", "CLOSE"})
    void aConnectionThatTheServerCallsClosedIsNotUsedAgain(String word) throws Exception {
        HttpObjectStore store = storeOf((_, reply) -> reply.send(
                "HTTP/1.1 200 X\r\nConnection: " + word + "\r\ncontent-length: 7\r\netag: \"abc123\"\r\n\r\n"));

        store.head("key");
        store.head("key");

        assertThat(server().connections()).isEqualTo(2);
    }

    @Test
    void whoIsInterruptedBetweenTwoAttemptsStaysSo() {
        HttpObjectStore store = storeOf(
                new ScriptedServer((_, reply) -> reply.error(503, "SlowDown")),
                options().time(Clock.fixed(NOW, ZoneOffset.UTC), new Random(1), _ -> {
                    throw new InterruptedException();
                }));

        failureOf(() -> store.head("key"), StoreFailure.Cancelled.class);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(server().requests()).hasSize(1);
    }

    @Test
    void closingTheStoreCancelsWhatIsInFlight() throws Exception {
        HttpObjectStore store = storeOf(
                new ScriptedServer((_, reply) -> reply.stall()), options().timeouts(Timeouts.DEFAULTS));
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread caller = Thread.ofVirtual()
                .start(() -> failure.set(failureOf(() -> store.head("key"), StoreFailure.Cancelled.class)));
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (server().requests().isEmpty() && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(server().requests()).as("requests in flight").hasSize(1);

        store.close();
        caller.join();

        assertThat(failure.get()).isNotNull();
    }
}
