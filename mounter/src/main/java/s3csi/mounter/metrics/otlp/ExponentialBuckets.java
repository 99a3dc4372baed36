package s3csi.mounter.metrics.otlp;

import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import s3csi.mounter.metrics.Distribution;

/**
 * A distribution as OpenTelemetry's exponential histograms have it: the bucket {@code i} holds the values above {@code base^i} up to
 * and with {@code base^(i+1)}, where {@code base} is {@code 2^(2^-scale)}. Zero has a place of its own.
 *
 * @param scale how fine: each step down halves the number of buckets
 * @param offset the index of the first bucket
 */
record ExponentialBuckets(int scale, long zeros, int offset, List<Long> counts) {
    /** 16 buckets for every power of two, as many as our own histograms have: more would only look more exact. */
    private static final int FINEST = 4;

    /** What mount-s3 sends at most, and OpenTelemetry's libraries by default. */
    static final int MOST = 160;

    static ExponentialBuckets of(Distribution distribution) {
        SortedMap<Integer, Long> fine = new TreeMap<>();
        long[] zeros = {0};
        distribution.forEachBucket((lowest, highest, count) -> {
            if (highest == 0) {
                zeros[0] += count;
            } else {
                fine.merge(indexOf(lowest + (highest - lowest) / 2), count, Long::sum);
            }
        });
        if (fine.isEmpty()) {
            return new ExponentialBuckets(FINEST, zeros[0], 0, List.of());
        }
        int coarser = 0;
        while ((fine.lastKey() >> coarser) - (fine.firstKey() >> coarser) >= MOST) {
            coarser++;
        }
        int offset = fine.firstKey() >> coarser;
        long[] counts = new long[(fine.lastKey() >> coarser) - offset + 1];
        for (var bucket : fine.entrySet()) {
            counts[(bucket.getKey() >> coarser) - offset] += bucket.getValue();
        }
        return new ExponentialBuckets(
                FINEST - coarser,
                zeros[0],
                offset,
                Arrays.stream(counts).boxed().toList());
    }

    /** The bucket of a value at the finest scale. Powers of two are its ends, and must not fall into the next one by rounding. */
    static int indexOf(long value) {
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
        double above = (double) value / (1L << power);
        int within = above == 1 ? 0 : (int) Math.ceil(Math.log(above) / Math.log(2) * (1 << FINEST));
        return (power << FINEST) + within - 1;
    }
}
