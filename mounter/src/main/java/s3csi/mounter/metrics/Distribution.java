package s3csi.mounter.metrics;

import java.util.Arrays;
import java.util.Locale;

/** What a histogram held at one time, or what came between two times. */
public final class Distribution {
    private final long[] counts;
    private final long sum;

    Distribution(long[] counts, long sum) {
        this.counts = counts;
        this.sum = sum;
    }

    public long count() {
        return Arrays.stream(counts).sum();
    }

    public long sum() {
        return sum;
    }

    Distribution since(Distribution before) {
        long[] difference = new long[counts.length];
        for (int i = 0; i < counts.length; i++) {
            difference[i] = counts[i] - before.counts[i];
        }
        return new Distribution(difference, sum - before.sum);
    }

    /** Some values that came: between which two, both included, and how many. */
    public interface BucketVisitor {
        void bucket(long lowest, long highest, long count);
    }

    /** Shows all values from the smallest to the largest, as exactly as they are known. */
    public void forEachBucket(BucketVisitor visitor) {
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] != 0) {
                visitor.bucket(Histogram.lowestIn(i), Histogram.highestIn(i), counts[i]);
            }
        }
    }

    /** Nothing that came is below it. */
    public long lowest() {
        int first = 0;
        while (first < counts.length && counts[first] == 0) {
            first++;
        }
        return first == counts.length ? 0 : Histogram.lowestIn(first);
    }

    /** Nothing that came is above it. */
    public long highest() {
        int last = counts.length - 1;
        while (last >= 0 && counts[last] == 0) {
            last--;
        }
        return last < 0 ? 0 : Histogram.highestIn(last);
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
