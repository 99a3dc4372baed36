package s3csi.filesystem.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import s3csi.filesystem.inode.Time;

/** Time that stands still until the test moves it. */
public final class ManualTime {
    public static final Instant START = Instant.parse("2026-05-01T12:00:00Z");

    private final AtomicLong nanos = new AtomicLong(-5_000_000_000L);

    public Time time() {
        long origin = nanos.get();
        return new Time(() -> START.plusNanos(nanos.get() - origin), nanos::get);
    }

    public void advance(Duration duration) {
        nanos.addAndGet(duration.toNanos());
    }
}
