package s3csi.control;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/** How long to wait before something that failed is tried again: longer each time, and never long. */
public final class Backoff<T> {

    /** What keeps something from working may be gone at any time, and a pod waits for it. */
    public static final Duration LONGEST = Duration.ofSeconds(30);

    private final Map<T, Integer> failures = new ConcurrentHashMap<>();
    private final Duration shortest;
    private final RandomGenerator random;

    /**
     * Remembers what failed, and how often in a row.
     *
     * @param shortest the wait after the first failure; half of it at least
     */
    public Backoff(Duration shortest, RandomGenerator random) {
        this.shortest = shortest;
        this.random = random;
    }

    public Duration afterFailure(T item) {
        int count = failures.merge(item, 1, (before, one) -> Math.min(before + one, 30));
        long whole = Math.min(LONGEST.toMillis(), shortest.toMillis() << (count - 1));
        // Those that failed together are not tried again together.
        return Duration.ofMillis(whole / 2 + random.nextLong(whole / 2 + 1));
    }

    public void succeeded(T item) {
        failures.remove(item);
    }
}
