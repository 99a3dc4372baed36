package s3csi.driver.node.kernel;

import java.time.Duration;

/** A point in monotonic time by which a call has to be done. */
public record Deadline(long nanos) {
    public static Deadline after(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    /** How long is left, never negative. */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
    }

    /** What is left, but not more than that. */
    public Duration atMost(Duration limit) {
        Duration left = remaining();
        return left.compareTo(limit) < 0 ? left : limit;
    }

    public boolean isOver() {
        return System.nanoTime() - nanos >= 0;
    }
}
