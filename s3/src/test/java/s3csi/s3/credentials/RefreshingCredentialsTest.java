package s3csi.s3.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import s3csi.s3.testing.process.Await;

/** Keys are fetched once for everybody, ahead of their end, and never because somebody was late. */
class RefreshingCredentialsTest {
    private static final Instant START = Instant.parse("2026-11-15T10:00:00Z");
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final TurnedClock clock = new TurnedClock(START);
    private final AtomicInteger fetches = new AtomicInteger();
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private volatile boolean isFailing;
    private volatile Duration life = Duration.ofHours(1);
    private volatile Thread fetcher = Thread.currentThread();

    private final RefreshingCredentials credentials = new RefreshingCredentials(
            new CredentialsSource() {
                @Override
                public Credentials current() throws CredentialsException {
                    fetcher = Thread.currentThread();
                    int number = fetches.incrementAndGet();
                    try {
                        gate.await();
                    } catch (InterruptedException e) {
                        throw new CredentialsException("interrupted", e);
                    }
                    if (isFailing) {
                        throw new CredentialsException("fetch " + number + " failed");
                    }
                    return keys(number);
                }

                @Override
                public String toString() {
                    return "the service";
                }
            },
            clock);

    private Credentials keys(int number) {
        return new Credentials.Keys("id" + number, "s", "t", clock.instant().plus(life));
    }

    @AfterEach
    void open() {
        gate.countDown();
    }

    private void block() {
        gate = new CountDownLatch(1);
    }

    /** Starts so many calls and returns when all of them wait. */
    private static List<FutureTask<Credentials>> waiting(int count, Callable<Credentials> call) {
        List<FutureTask<Credentials>> tasks = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            FutureTask<Credentials> task = new FutureTask<>(call);
            tasks.add(task);
            threads.add(Thread.ofPlatform().daemon().start(task));
        }
        Await.until(
                DEADLINE,
                () -> "not all wait: " + threads.stream().map(Thread::getState).toList(),
                () -> threads.stream()
                        .map(Thread::getState)
                        .allMatch(state -> state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING));
        return tasks;
    }

    private static Credentials result(FutureTask<Credentials> task) throws Exception {
        return task.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    }

    private void awaitFetches(int count) {
        Await.until(DEADLINE, () -> fetches + " fetches instead of " + count, () -> fetches.get() == count);
    }

    private void awaitKeys(String id) {
        Await.until(DEADLINE, () -> "still others than " + id, () -> {
            try {
                return credentials.current() instanceof Credentials.Keys keys
                        && keys.accessKeyId().equals(id);
            } catch (CredentialsException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void allWhoWaitShareOneFetch() throws Exception {
        block();
        List<FutureTask<Credentials>> tasks = waiting(5, credentials::current);
        gate.countDown();

        for (FutureTask<Credentials> task : tasks) {
            assertThat(result(task)).isEqualTo(keys(1));
        }
        assertThat(fetches).hasValue(1);
    }

    @Test
    void whoIsInterruptedWhileWaitingStaysSo() throws Exception {
        block();
        FutureTask<Boolean> waiter = new FutureTask<>(() -> {
            assertThatThrownBy(credentials::current)
                    .isInstanceOf(CredentialsException.class)
                    .hasMessageContaining("interrupted");
            return Thread.currentThread().isInterrupted();
        });
        Thread thread = Thread.ofPlatform().daemon().start(waiter);
        awaitFetches(1);
        thread.interrupt();

        assertThat(waiter.get(DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void allWhoWaitShareItsFailure() {
        isFailing = true;
        block();
        List<FutureTask<Credentials>> tasks = waiting(5, credentials::current);
        gate.countDown();

        assertThat(tasks)
                .allSatisfy(task -> assertThatThrownBy(() -> result(task))
                        .isInstanceOf(ExecutionException.class)
                        .hasRootCauseMessage("fetch 1 failed"));
        assertThat(fetches).hasValue(1);
    }

    @Test
    void renewalAheadHoldsNobodyUpAndIsDoneOnce() throws Exception {
        Credentials first = credentials.current();
        block();
        clock.turn(Duration.ofMinutes(56));

        for (int i = 0; i < 100; i++) {
            assertThat(credentials.current()).isEqualTo(first);
        }
        gate.countDown();

        awaitKeys("id2");
        assertThat(fetches).hasValue(2);
    }

    @Test
    void keysThatLastForAFewMinutesOnlyAreNotFetchedForEveryRequest() throws Exception {
        life = Duration.ofMinutes(2);
        for (int i = 0; i < 100; i++) {
            credentials.current();
        }
        assertThat(fetches).hasValue(1);

        clock.turn(Duration.ofSeconds(61));
        awaitKeys("id2");
        assertThat(fetches).hasValue(2);
    }

    @Test
    void keysThatHaveEndedByOurClockAreUsedForAMoment() throws Exception {
        life = Duration.ofMinutes(-20);
        for (int i = 0; i < 100; i++) {
            credentials.current();
        }
        assertThat(fetches).hasValue(1);
    }

    @Test
    void aRenewalThatFailsIsNotRepeatedForEveryRequest() throws Exception {
        Credentials first = credentials.current();
        isFailing = true;
        clock.turn(Duration.ofMinutes(56));
        credentials.current();
        awaitFetches(2);
        assertThat(fetcher.join(DEADLINE)).as("the renewal has failed").isTrue();

        for (int i = 0; i < 100; i++) {
            assertThat(credentials.current()).isEqualTo(first);
            // Another one would begin on a thread of its own.
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        assertThat(fetches).hasValue(2);

        clock.turn(HeldKeys.PAUSE);
        assertThat(credentials.current()).isEqualTo(first);
        awaitFetches(3);
    }

    @Test
    void whoLosesTheRaceForRenewalGetsTheNewKeys() throws Exception {
        Credentials first = credentials.current();
        block();
        List<FutureTask<Credentials>> tasks = waiting(5, () -> {
            credentials.rejected(first);
            return credentials.current();
        });
        gate.countDown();

        for (FutureTask<Credentials> task : tasks) {
            assertThat(result(task)).isEqualTo(keys(2));
        }
        assertThat(fetches).hasValue(2);
    }

    /** Keys that are wrong stay so, and every request finds that out. */
    @Test
    void aSourceThatHasNoOthersIsNotAskedForEveryRefusal() throws Exception {
        Credentials wrong = new Credentials.Keys("id", "wrong");
        RefreshingCredentials refused = new RefreshingCredentials(
                () -> {
                    fetches.incrementAndGet();
                    return wrong;
                },
                clock);

        for (int i = 0; i < 10; i++) {
            assertThat(refused.current()).isEqualTo(wrong);
            refused.rejected(wrong);
        }
        assertThat(fetches).hasValue(2);

        clock.turn(HeldKeys.PAUSE);
        refused.rejected(wrong);
        assertThat(refused.current()).isEqualTo(wrong);
        assertThat(fetches).as("it may have others by now").hasValue(3);
    }

    @Test
    void refusedKeysDoNotThrowNewerOnesAway() throws Exception {
        Credentials first = credentials.current();
        credentials.rejected(first);
        Credentials second = credentials.current();

        credentials.rejected(first);

        assertThat(credentials.current()).isEqualTo(second);
        assertThat(fetches).hasValue(2);
    }

    @Test
    void aSuspicionRenewsKeysThatAreNotNewAndOnlyThese() throws Exception {
        Credentials first = credentials.current();
        credentials.suspected(first);
        assertThat(credentials.current()).isEqualTo(first);

        clock.turn(Duration.ofMinutes(1));
        credentials.suspected(first);
        Credentials second = credentials.current();
        assertThat(second).isEqualTo(keys(2));

        credentials.suspected(second);
        assertThat(credentials.current()).isEqualTo(second);
        assertThat(fetches).hasValue(2);
    }

    @Test
    void whoCannotWaitForLongIsToldWhomItWasFor() {
        block();

        assertThatThrownBy(() -> credentials.current(Duration.ofMillis(10)))
                .isInstanceOf(CredentialsException.class)
                .hasMessageContaining("no keys came from the service within 0.0 s");
    }
}
