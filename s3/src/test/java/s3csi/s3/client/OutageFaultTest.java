package s3csi.s3.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.s3.ListRequest;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreObserver;
import s3csi.s3.StoreOperation;
import s3csi.s3.testing.Nobody;
import s3csi.s3.testing.Reply;
import s3csi.s3.testing.ScriptedServer;
import s3csi.s3.testing.process.Await;

/** A store that is away is waited for, by all requests together, and not for ever. */
class OutageFaultTest extends FaultFixture {
    private static final String GOOD = "HTTP/1.1 200 OK\r\ncontent-length: 7\r\netag: \"abc123\"\r\n\r\n";
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    /** Requests take no time between attempts: whatever is drawn by lot is zero. */
    private HttpStoreOptions patient(Duration patience) {
        return options().patience(patience).time(Clock.fixed(NOW, ZoneOffset.UTC), () -> 0, waits::add);
    }

    private static void busy(Reply reply) throws IOException {
        reply.answer(503, "", "");
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 502, 503, 504})
    void aStoreIsWaitedForLongerThanAnyNumberOfAttempts(int status) throws Exception {
        HttpObjectStore store = storeOf(
                new ScriptedServer((request, reply) -> {
                    if (request.number() <= 60) {
                        reply.answer(status, "", "");
                    } else {
                        reply.send(GOOD);
                    }
                }),
                patient(LONG));

        assertThat(store.head("key").size()).isEqualTo(7);
        assertThat(server().requests()).hasSize(61);
    }

    @ParameterizedTest
    @ValueSource(strings = {"reset", "close"})
    void brokenConnectionsAreWaitedThrough(String how) throws Exception {
        HttpObjectStore store = storeOf(
                new ScriptedServer((request, reply) -> {
                    if (request.number() > 60) {
                        reply.send(GOOD);
                    } else if (how.equals("reset")) {
                        reply.reset();
                    } else {
                        reply.close();
                    }
                }),
                patient(LONG));

        assertThat(store.head("key").size()).isEqualTo(7);
    }

    /** A name that is too long for any name server, and an address to which no kernel connects: both are known without a network. */
    @ParameterizedTest
    @CsvSource({
        "http://xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, does not resolve to an address",
        "http://224.0.0.1:9, Network is unreachable"
    })
    void aStoreWithoutANameOrARouteIsWaitedFor(String endpoint, String words) {
        Duration patience = Duration.ofMillis(700);
        try (HttpObjectStore store = new HttpObjectStore(patient(patience).endpoint(URI.create(endpoint)))) {
            long start = System.nanoTime();

            StoreException e = failureOf(() -> store.head("key"), StoreFailure.Unreachable.class);

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(patience);
            assertThat(e).hasMessageContaining(words);
        }
    }

    @Test
    void whoComesDuringAnOutageWaitsWithTheOthersAndAllGetTheirAnswer() throws Exception {
        AtomicBoolean isBack = new AtomicBoolean();
        AtomicInteger under = new AtomicInteger();
        AtomicInteger mostWhileAway = new AtomicInteger();
        CountDownLatch isAway = new CountDownLatch(3);
        HttpObjectStore store = storeOf(
                new ScriptedServer((_, reply) -> {
                    int now = under.incrementAndGet();
                    try {
                        if (isBack.get()) {
                            reply.send(GOOD);
                        } else {
                            if (isAway.getCount() == 0) {
                                mostWhileAway.accumulateAndGet(now, Math::max);
                            }
                            isAway.countDown();
                            busy(reply);
                        }
                    } finally {
                        under.decrementAndGet();
                    }
                }),
                patient(LONG));
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());

        List<Thread> callers = new ArrayList<>();
        callers.add(head(store, failures));
        assertThat(isAway.await(60, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < 200; i++) {
            callers.add(head(store, failures));
        }
        Await.until(DEADLINE, () -> "too few probes", () -> server().requests().size() > 500);
        isBack.set(true);
        for (Thread caller : callers) {
            caller.join();
        }

        assertThat(failures).isEmpty();
        assertThat(mostWhileAway.get())
                .as("requests at a time while the store was away")
                .isBetween(1, 4);
    }

    private static Thread head(HttpObjectStore store, List<Throwable> failures) {
        return Thread.ofVirtual().start(() -> {
            try {
                store.head("key");
            } catch (StoreException | RuntimeException e) {
                failures.add(e);
            }
        });
    }

    @Test
    void oncePatienceIsSpentEachRequestIsOneProbeUntilTheStoreIsBack() throws Exception {
        AtomicBoolean isBack = new AtomicBoolean();
        HttpObjectStore store = storeOf(
                new ScriptedServer((_, reply) -> {
                    if (isBack.get()) {
                        reply.send(GOOD);
                    } else {
                        busy(reply);
                    }
                }),
                patient(SHORT));
        StoreException first = failureOf(() -> store.head("key"), StoreFailure.Throttled.class);
        int before = server().requests().size();

        StoreException second = failureOf(() -> store.head("key"), StoreFailure.Throttled.class);
        failureOf(() -> store.head("key"), StoreFailure.Throttled.class);

        assertThat(before).isGreaterThan(1);
        assertThat(server().requests()).hasSize(before + 2);
        assertThat(first).hasMessageContaining("asks to slow down").hasMessageContaining("503");
        assertThat(second).hasMessageContaining("HeadObject of \"key\"");
        isBack.set(true);
        assertThat(store.head("key").size()).isEqualTo(7);
        assertThat(server().requests()).hasSize(before + 3);
    }

    @Test
    void whoComesWhileAProbeIsUnderWayFailsWithIt() throws Exception {
        CountDownLatch isProbed = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        AtomicBoolean holds = new AtomicBoolean();
        HttpObjectStore store = storeOf(
                new ScriptedServer((_, reply) -> {
                    if (holds.get()) {
                        isProbed.countDown();
                        awaitQuietly(end);
                    }
                    busy(reply);
                }),
                patient(SHORT));
        failureOf(() -> store.head("key"), StoreFailure.Throttled.class);
        int before = server().requests().size();
        holds.set(true);
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        Thread prober = head(store, failures);
        assertThat(isProbed.await(60, TimeUnit.SECONDS)).isTrue();

        Thread joiner = head(store, failures);
        Await.until(DEADLINE, () -> "it does not wait", () -> joiner.getState() == Thread.State.TIMED_WAITING);
        end.countDown();
        prober.join();
        joiner.join();

        assertThat(server().requests()).hasSize(before + 1);
        assertThat(failures).hasSize(2).anySatisfy(e -> assertThat(e).hasMessageContaining("the store has been away"));
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aRequestThatFailsAloneIsNoOutage() throws Exception {
        HttpObjectStore store = storeOf(
                new ScriptedServer((request, reply) -> {
                    if (request.target().endsWith("bad")) {
                        reply.answer(500, "", "");
                    } else {
                        reply.send(GOOD);
                    }
                }),
                patient(Duration.ofSeconds(1)));
        AtomicBoolean isOver = new AtomicBoolean();
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        Thread others = Thread.ofVirtual().start(() -> {
            while (!isOver.get()) {
                try {
                    store.head("good");
                } catch (StoreException e) {
                    failures.add(e);
                }
            }
        });

        failureOf(() -> store.head("bad"), StoreFailure.ServerError.class);
        isOver.set(true);
        others.join();

        assertThat(failures).isEmpty();
    }

    @Test
    void theUsersNumberOfAttemptsEndsTheWaiting() {
        HttpObjectStore store = storeOf(
                new ScriptedServer((_, reply) -> busy(reply)), patient(LONG).attempts(3));

        StoreException e = failureOf(() -> store.head("key"), StoreFailure.Throttled.class);

        assertThat(e).hasMessageContaining("after 3 attempts");
        assertThat(server().requests()).hasSize(3);
    }

    @Test
    void whatIsWrongWithTheRequestItselfIsTriedTenTimes() {
        HttpObjectStore store =
                storeOf(new ScriptedServer((_, reply) -> reply.error(409, "OperationAborted")), patient(LONG));

        failureOf(() -> store.list(ListRequest.directory("")), StoreFailure.PreconditionFailed.class);

        assertThat(server().requests()).hasSize(10);
    }

    @Test
    void whereNobodyListensIsSaidInWords() throws Exception {
        try (Nobody nobody = new Nobody()) {
            HttpObjectStore store = new HttpObjectStore(patient(SHORT).endpoint(nobody.endpoint()));
            failureOf(() -> store.head("key"), StoreFailure.Unreachable.class);

            StoreException e = failureOf(() -> store.head("key"), StoreFailure.Unreachable.class);

            assertThat(e).hasMessageContaining("no connection to http://127.0.0.1");
            store.close();
        }
    }

    @Test
    void closingTheStoreEndsTheWaiting() throws Exception {
        // The first attempts end at once, then a probe is due only much later.
        HttpObjectStore store = storeOf(
                new ScriptedServer((_, reply) -> busy(reply)),
                options().patience(LONG).time(Clock.fixed(NOW, ZoneOffset.UTC), new Random(1), waits::add));
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread caller = Thread.ofVirtual()
                .start(() -> failure.set(failureOf(() -> store.head("key"), StoreFailure.Cancelled.class)));
        Await.until(DEADLINE, () -> "no request", () -> server().requests().size() > 2);

        store.close();
        caller.join();

        assertThat(failure.get()).isNotNull();
    }

    @Test
    void anInterruptEndsTheWaiting() throws Exception {
        HttpObjectStore store = storeOf(
                new ScriptedServer((_, reply) -> busy(reply)),
                options().patience(LONG).time(Clock.fixed(NOW, ZoneOffset.UTC), new Random(1), waits::add));
        AtomicBoolean isStillInterrupted = new AtomicBoolean();
        Thread caller = Thread.ofVirtual().start(() -> {
            failureOf(() -> store.head("key"), StoreFailure.Cancelled.class);
            isStillInterrupted.set(Thread.currentThread().isInterrupted());
        });
        Await.until(DEADLINE, () -> "no request", () -> server().requests().size() > 2);

        caller.interrupt();
        caller.join();

        assertThat(isStillInterrupted).isTrue();
    }

    @Test
    void probesThatAreInterruptedGiveTheirPlacesToOthers() throws Exception {
        CountDownLatch areHeld = new CountDownLatch(4);
        AtomicBoolean isBack = new AtomicBoolean();
        HttpObjectStore store = storeOf(
                new ScriptedServer((request, reply) -> {
                    if (request.number() == 1) {
                        busy(reply);
                    } else if (isBack.get()) {
                        reply.send(GOOD);
                    } else {
                        areHeld.countDown();
                        reply.stall();
                    }
                }),
                patient(LONG));
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        List<Thread> probers = new ArrayList<>();
        probers.add(head(store, failures));
        // The others must find the store away, or they would need no place.
        Await.until(DEADLINE, () -> "no probe", () -> areHeld.getCount() == 3);
        for (int i = 0; i < 3; i++) {
            probers.add(head(store, failures));
        }
        assertThat(areHeld.await(60, TimeUnit.SECONDS)).isTrue();

        for (Thread prober : probers) {
            prober.interrupt();
            prober.join();
        }
        isBack.set(true);
        Thread next = head(store, failures);

        assertThat(next.join(DEADLINE)).as("a probe is let through").isTrue();
        assertThat(failures).hasSize(4).allSatisfy(e -> assertThat(e).hasMessageContaining("cancelled"));
    }

    @Test
    void afterASilenceKeptConnectionsAreNotTrustedEither() throws Exception {
        CyclicBarrier both = new CyclicBarrier(2);
        AtomicReference<@Nullable ScriptedServer> self = new AtomicReference<>();
        ScriptedServer server = new ScriptedServer((request, reply) -> {
            ScriptedServer here = self.get();
            if (request.target().endsWith("first")) {
                meet(both);
                reply.send(GOOD);
            } else if (here != null && here.connections() <= 2) {
                // Both connections lead to an address where nobody is left.
                reply.stall();
            } else {
                reply.send(GOOD);
            }
        });
        self.set(server);
        HttpObjectStore store = storeOf(server, patient(LONG).timeouts(firstByteWithin(Duration.ofSeconds(2))));
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        Thread one = first(store, failures);
        Thread other = first(store, failures);
        one.join();
        other.join();

        assertThat(store.head("second").size()).isEqualTo(7);

        assertThat(failures).isEmpty();
        assertThat(server.requests()).hasSize(4);
    }

    private static Thread first(HttpObjectStore store, List<Throwable> failures) {
        return Thread.ofVirtual().start(() -> {
            try {
                store.head("first");
            } catch (StoreException | RuntimeException e) {
                failures.add(e);
            }
        });
    }

    private static void meet(CyclicBarrier barrier) throws IOException {
        try {
            barrier.await();
        } catch (InterruptedException | java.util.concurrent.BrokenBarrierException e) {
            throw new IOException(e);
        }
    }

    @Test
    void theFirstLookIsNotPatient() {
        HttpObjectStore store = storeOf(new ScriptedServer((_, reply) -> busy(reply)), patient(LONG));

        failureOf(() -> store.check("", Duration.ofSeconds(20)), StoreFailure.Throttled.class);

        assertThat(server().requests()).hasSizeLessThanOrEqualTo(10);
    }

    @Test
    void anOutageThatEndedIsCounted() throws Exception {
        AtomicInteger waited = new AtomicInteger();
        HttpObjectStore store = storeOf(
                new ScriptedServer((request, reply) -> {
                    if (request.number() <= 3) {
                        busy(reply);
                    } else {
                        reply.send(GOOD);
                    }
                }),
                patient(LONG).observer(new StoreObserver() {
                    @Override
                    public void outageEnded(Duration length, int requests) {
                        waited.addAndGet(requests);
                    }

                    @Override
                    public void retried(StoreOperation operation, String reason) {
                        observed.add(reason);
                    }
                }));

        store.head("key");

        assertThat(waited).hasValue(1);
        assertThat(observed).hasSize(3);
    }
}
