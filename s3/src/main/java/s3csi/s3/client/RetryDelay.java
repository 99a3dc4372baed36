package s3csi.s3.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Waits drawn evenly from zero to a limit that doubles each time (full jitter), so that those who failed together do not come back together. */
record RetryDelay(Duration first, Duration longest, RandomGenerator random) {
    /** @param failures so far, at least one */
    Duration after(int failures) {
        long limit = Math.min(longest.toNanos(), first.toNanos() << Math.min(failures - 1, 20));
        return Duration.ofNanos(random.nextLong(limit + 1));
    }
}
