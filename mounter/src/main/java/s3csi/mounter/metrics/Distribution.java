package s3csi.mounter.metrics;

import java.util.Arrays;
import java.util.Locale;

/** What a histogram held at one time, or what came between two times. */
final class Distribution {
    private final long[] counts;
    private final long sum;

    Distribution(long[] counts, long sum) {
        this.counts = counts;
        this.sum = sum;
    }

    long count() {
        return Arrays.stream(counts).sum();
    }

    long sum() {
        return sum;
    }

    Distribution since(Distribution before) {
        long[] difference = new long[counts.length];
        for (int i = 0; i < counts.length; i++) {
            difference[i] = counts[i] - before.counts[i];
        }
        return new Distribution(difference, sum - before.sum);
    }

    /** How many values are not above the limit, which must be the end of a bucket. */
    long countUpTo(long limit) {
        long total = 0;
        for (int i = 0; i < counts.length && Histogram.highestIn(i) <= limit; i++) {
            total += counts[i];
        }
        return total;
    }

    /** The value that this share of all values does not exceed, as the middle of its bucket. */
    long quantile(double share) {
        long rank = Math.max(1, (long) Math.ceil(share * count()));
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return Histogram.lowestIn(i) + (Histogram.highestIn(i) - Histogram.lowestIn(i)) / 2;
            }
        }
        return 0;
    }

    @Override
    public String toString() {
        long count = count();
        return String.format(
                Locale.ROOT,
                "n=%d: min=%d p10=%d p50=%d avg=%.2f p90=%d p99=%d p99.9=%d max=%d",
                count,
                quantile(0),
                quantile(0.1),
                quantile(0.5),
                count == 0 ? 0 : (double) sum / count,
                quantile(0.9),
                quantile(0.99),
                quantile(0.999),
                quantile(1));
    }
}
