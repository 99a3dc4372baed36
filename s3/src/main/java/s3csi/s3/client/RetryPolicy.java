package s3csi.s3.client;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import s3csi.s3.client.AttemptFailure.Remedy;

/**
 * Mount-s3's way to try again: up to a number of attempts, after jittered waits, and as long as the store as a whole is not failing.
 * The last is a bucket of tokens: retries take from it, successes pay back, and when it is empty failures are final at once, so that a
 * dead store is not hammered by everybody's retries.
 */
final class RetryPolicy {
    static final Duration BASE = Duration.ofMillis(500);
    static final Duration LONGEST = Duration.ofSeconds(20);

    private static final int TOKENS = 500;
    private static final int COST = 10;
    private static final int COST_WHEN_BUSY = 5;

    private final int attempts;
    private final RetryDelay backoff;
    private final Sleeper sleeper;
    private int tokens = TOKENS;

    RetryPolicy(int attempts, RandomGenerator random, Sleeper sleeper) {
        this.attempts = attempts;
        this.backoff = new RetryDelay(BASE, LONGEST, random);
        this.sleeper = sleeper;
    }

    /** Whether to try once more after so many attempts; takes what it costs. */
    synchronized boolean permits(int attemptsMade, boolean busy) {
        int cost = cost(busy);
        if (attemptsMade >= attempts || tokens < cost) {
            return false;
        }
        tokens -= cost;
        return true;
    }

    private static int cost(boolean busy) {
        return busy ? COST_WHEN_BUSY : COST;
    }

    /** A call succeeded; if it needed retries, the cost of the last one comes back. */
    synchronized void succeeded(int attemptsMade, boolean busy) {
        tokens = Math.min(TOKENS, tokens + (attemptsMade > 1 ? cost(busy) : 1));
    }

    Duration wait(int attemptsMade) {
        return backoff.after(attemptsMade);
    }

    /** The attempts at a call. */
    Tries triesOf(Call<?> call) {
        return new CountedTries(call);
    }

    private final class CountedTries implements Tries {
        private final Call<?> call;
        private int made;
        private boolean busy;

        CountedTries(Call<?> call) {
            this.call = call;
        }

        @Override
        public @Nullable AttemptFailure awaitTurn() {
            made++;
            return null;
        }

        @Override
        public @Nullable Duration silence() {
            return null;
        }

        @Override
        public void answered() {
            succeeded(made, busy);
        }

        @Override
        public void failed(AttemptFailure failure) {
            busy = failure.remedy() == Remedy.BUSY;
        }

        @Override
        public boolean again(AttemptFailure failure, boolean hasProgressed) throws InterruptedException {
            if (hasProgressed && !busy) {
                made = 0;
                return true;
            }
            Duration wait = backoff.after(made);
            if (isTooLong(wait) || !permits(made, busy)) {
                return false;
            }
            sleeper.sleep(wait);
            return true;
        }

        private boolean isTooLong(Duration wait) {
            Duration left = call.timeLeft();
            return left != null && wait.compareTo(left) >= 0;
        }

        @Override
        public void ended() {
            // Nothing is held by an attempt.
        }

        @Override
        public int made() {
            return made;
        }
    }
}
