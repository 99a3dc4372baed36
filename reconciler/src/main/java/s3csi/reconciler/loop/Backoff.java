package s3csi.reconciler.loop;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/** How long to wait before something that failed is tried again: longer each time, and never long. */
final class Backoff<T> {
    static final Duration SHORTEST = Duration.ofMillis(50);

    /** What keeps something from working may be gone at any time, and a pod waits for it. */
    static final Duration LONGEST = Duration.ofSeconds(30);

    private final Map<T, Integer> failures = new ConcurrentHashMap<>();
    private final RandomGenerator random;

    Backoff(RandomGenerator random) {
        this.random = random;
    }

    Duration afterFailure(T item) {
        int count = failures.merge(item, 1, (before, one) -> Math.min(before + one, 30));
        long whole = Math.min(LONGEST.toMillis(), SHORTEST.toMillis() << (count - 1));
        // Those that failed together are not tried again together.
        return Duration.ofMillis(whole / 2 + random.nextLong(whole / 2 + 1));
    }

    void succeeded(T item) {
        failures.remove(item);
    }
}
