package s3csi.filesystem.read;

import java.util.function.LongSupplier;

/**
 * What the network can do at its best: the shortest time to a first byte and the highest rate of one connection, over the last
 * seconds. Their best, because under load both measure our own queue instead of the network.
 *
 * <p>For any number of threads.
 */
final class Transfers {
    private static final long PERIOD_NANOS = 5_000_000_000L;
    /** Shorter bodies say nothing about the rate. */
    private static final long SIZEABLE = 256 * 1024;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final LongSupplier clock;
    private long periodStart;
    private Best current = Best.NONE;
    private Best previous = Best.NONE;

    private record Best(long firstByteNanos, double bytesPerSecond) {
        static final Best NONE = new Best(Long.MAX_VALUE, 0);

        Best and(Best other) {
            return new Best(
                    Math.min(firstByteNanos, other.firstByteNanos), Math.max(bytesPerSecond, other.bytesPerSecond));
        }
    }

    Transfers(LongSupplier nanoClock) {
        clock = nanoClock;
        periodStart = nanoClock.getAsLong();
    }

    /** A body of that many bytes has arrived. */
    synchronized void add(long bytes, long firstByteNanos, long bodyNanos) {
        long now = clock.getAsLong();
        if (now - periodStart > PERIOD_NANOS) {
            previous = current;
            current = Best.NONE;
            periodStart = now;
        }
        double rate = bytes < SIZEABLE ? 0 : (double) bytes * NANOS_PER_SECOND / Math.max(1, bodyNanos);
        current = current.and(new Best(firstByteNanos, rate));
    }

    /** How long a GET of that many bytes takes when nothing is in its way; 0 if that is not known yet. */
    synchronized long bestNanos(long bytes) {
        Best best = current.and(previous);
        if (best.bytesPerSecond == 0) {
            return 0;
        }
        return best.firstByteNanos + (long) (bytes / best.bytesPerSecond * NANOS_PER_SECOND);
    }

    /** How many bytes a connection brings in the time it takes to the first one; 0 if that is not known yet. */
    synchronized long bytesPerLatency() {
        Best best = current.and(previous);
        return best.bytesPerSecond == 0 ? 0 : (long) (best.firstByteNanos * best.bytesPerSecond / NANOS_PER_SECOND);
    }
}
