package s3csi.filesystem.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import s3csi.filesystem.inode.Time;

/**
 * Time that the test moves. By itself it goes on by a nanosecond whenever somebody looks, because no two moments of a real clock are the
 * same either, and what came first is told by that.
 */
public final class ManualTime {
    public static final Instant START = Instant.parse("2026-05-01T12:00:00Z");

    private final AtomicLong nanos = new AtomicLong(-5_000_000_000L);

    public Time time() {
        long origin = nanos.get();
        return new Time(() -> START.plusNanos(nanos.get() - origin), nanos::incrementAndGet);
    }

    public void advance(Duration duration) {
        nanos.addAndGet(duration.toNanos());
    }
}
