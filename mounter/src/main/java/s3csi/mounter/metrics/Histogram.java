package s3csi.mounter.metrics;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * How often which values came, to within 6 %: 16 buckets for every power of two. Recording takes no lock and no memory.
 */
public final class Histogram {
    private static final int BITS = 4;
    private static final int PER_POWER = 1 << BITS;
    private static final int HIGHEST_POWER = 44;
    private static final long LARGEST = (1L << HIGHEST_POWER) - 1;
    static final int BUCKETS = (HIGHEST_POWER - BITS + 1) * PER_POWER;

    private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);
    private final LongAdder sum = new LongAdder();

    Histogram() {}

    public void record(long value) {
        long inRange = Math.clamp(value, 0, LARGEST);
        counts.getAndIncrement(bucketOf(inRange));
        sum.add(inRange);
    }

    /** Small values have a bucket each; from there on, the top bits of the value choose. */
    static int bucketOf(long value) {
        if (value < PER_POWER) {
            return (int) value;
        }
        int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(value) - BITS;
        return PER_POWER * shift + (int) (value >>> shift);
    }

    /** The smallest value that falls into a bucket. */
    static long lowestIn(int bucket) {
        if (bucket < 2 * PER_POWER) {
            return bucket;
        }
        int shift = bucket / PER_POWER - 1;
        return (long) (bucket % PER_POWER + PER_POWER) << shift;
    }

    static long highestIn(int bucket) {
        return bucket == BUCKETS - 1 ? LARGEST : lowestIn(bucket + 1) - 1;
    }

    public Distribution snapshot() {
        long[] copy = new long[BUCKETS];
        for (int i = 0; i < BUCKETS; i++) {
            copy[i] = counts.get(i);
        }
        return new Distribution(copy, sum.sum());
    }
}
