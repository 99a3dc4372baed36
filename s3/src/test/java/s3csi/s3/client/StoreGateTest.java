package s3csi.s3.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreObserver;
import s3csi.s3.testing.process.Await;

/** Who waits in line for a store that is away. */
class StoreGateTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    /** Always the longest pause that may be drawn. */
    private static final RandomGenerator LONGEST = new RandomGenerator() {
        @Override
        public long nextLong() {
            return 0;
        }

        @Override
        public long nextLong(long bound) {
            return bound - 1;
        }
    };

    private final AttemptFailure failure = new AttemptFailure(
            new StoreFailure.Unreachable(), AttemptFailure.Remedy.UNREACHED, ErrorAnswer.NONE, "nobody answers", null);

    private final StoreGate gate = new StoreGate("bucket", LONG, LONGEST, StoreObserver.SILENT);

    @AfterEach
    void close() {
        gate.close();
    }

    /** After so many probes that failed the next one is due only in most of a second. */
    private void goAway() throws InterruptedException {
        List<Visit> visits = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            visits.add(new Visit());
        }
        gate.enter(visits.getFirst());
        gate.failed(visits.getFirst(), failure);
        for (Visit each : visits) {
            gate.enter(each);
        }
        for (Visit each : visits) {
            gate.failed(each, failure);
        }
    }

    private record Waiting(Thread thread, FutureTask<Boolean> admitted) {}

    private Waiting waiting() {
        FutureTask<Boolean> admitted = new FutureTask<>(() -> gate.enter(new Visit()) == null);
        Thread thread = Thread.ofVirtual().start(admitted);
        Await.until(
                DEADLINE,
                () -> "it does not wait",
                () -> thread.getState() == Thread.State.TIMED_WAITING || admitted.isDone());
        return new Waiting(thread, admitted);
    }

    /** As the requests of a program that is killed are. */
    @Test
    void probesThatAreBrokenOffMakeRoomForOthers() throws Exception {
        goAway();
        for (int i = 0; i < 4; i++) {
            Visit visit = new Visit();
            gate.enter(visit);
            gate.left(visit);
        }

        assertThat(waiting().admitted.get(DEADLINE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
    }

    private static AttemptFailure answer(int status) {
        return new AttemptFailure(
                new StoreFailure.ServerError(),
                AttemptFailure.Remedy.BUSY,
                new ErrorAnswer(status, "InternalError", "try again", null, null, ""),
                "the store has an error",
                null);
    }

    /** Whether the store counts as away when it fails at a request, answers another, and fails at the first one again. */
    private boolean isAwayAfterAnAnswerBetween(AttemptFailure failures) throws InterruptedException {
        Visit one = new Visit();
        gate.enter(one);
        assertThat(gate.failed(one, failures)).as("away at first").isTrue();
        Visit other = new Visit();
        gate.enter(other);
        gate.answered(other);
        gate.enter(one);
        return gate.failed(one, failures);
    }

    @Test
    void whatTheStoreFailsAtWhileItAnswersOthersIsNoReasonForThemToWait() throws Exception {
        assertThat(isAwayAfterAnAnswerBetween(answer(500))).isFalse();
    }

    @Test
    void aStoreThatIsBusyOrCannotBeReachedAgainIsAwayAgain() throws Exception {
        assertThat(isAwayAfterAnAnswerBetween(answer(503))).isTrue();
        assertThat(isAwayAfterAnAnswerBetween(failure)).isTrue();
    }

    @Test
    void aStoreThatFailsAtAnotherRequestIsAwayAgain() throws Exception {
        assertThat(isAwayAfterAnAnswerBetween(answer(500))).isFalse();

        Visit another = new Visit();
        gate.enter(another);

        assertThat(gate.failed(another, answer(500))).isTrue();
    }

    @Test
    void whoIsInterruptedAtTheHeadOfTheLineLeavesItToTheNext() throws Exception {
        goAway();
        Waiting first = waiting();
        Waiting second = waiting();

        first.thread.interrupt();

        assertThat(second.admitted.get(DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
}
