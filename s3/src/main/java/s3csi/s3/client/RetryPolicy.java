package s3csi.s3.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * When to try again: up to a number of attempts, after a wait drawn evenly from zero to a limit that doubles each time (full
 * jitter), and as long as the store as a whole is not failing. The last is a bucket of tokens: retries take from it, successes pay
 * back, and when it is empty failures are final at once, so that a dead store is not hammered by everybody's retries.
 */
final class RetryPolicy {
    static final Duration BASE = Duration.ofMillis(500);
    static final Duration LONGEST = Duration.ofSeconds(20);

    private static final int TOKENS = 500;
    private static final int COST = 10;
    private static final int COST_WHEN_BUSY = 5;

    private final int attempts;
    private final RandomGenerator random;
    private final Sleeper sleeper;
    private int tokens = TOKENS;

    RetryPolicy(int attempts, RandomGenerator random, Sleeper sleeper) {
        this.attempts = attempts;
        this.random = random;
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
        long limit = Math.min(LONGEST.toNanos(), BASE.toNanos() << Math.min(attemptsMade - 1, 20));
        return Duration.ofNanos(random.nextLong(limit + 1));
    }

    void sleep(Duration wait) throws InterruptedException {
        sleeper.sleep(wait);
    }
}
