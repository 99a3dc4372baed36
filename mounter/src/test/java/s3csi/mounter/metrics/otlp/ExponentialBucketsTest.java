package s3csi.mounter.metrics.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import s3csi.mounter.metrics.Histogram;
import s3csi.mounter.metrics.MetricName;
import s3csi.mounter.metrics.Metrics;

final class ExponentialBucketsTest {
    private final Histogram histogram = new Metrics().histogram(MetricName.FUSE_IO_SIZE, "read");

    /** The upper end of a bucket, as OpenTelemetry defines it. */
    private static double upperEnd(int scale, int index) {
        return Math.pow(2, (index + 1) * Math.pow(2, -scale));
    }

    private ExponentialBuckets buckets() {
        return ExponentialBuckets.of(histogram.snapshot());
    }

    @Test
    void aValueIsAboveTheLowerEndAndNotAboveTheUpperEnd() {
        for (long value = 1; value < 100_000; value++) {
            int index = ExponentialBuckets.indexOf(value);
            assertThat((double) value)
                    .isGreaterThan(upperEnd(4, index - 1) * (1 - 1e-12))
                    .isLessThanOrEqualTo(upperEnd(4, index) * (1 + 1e-12));
        }
    }

    @Test
    void aPowerOfTwoIsTheEndOfItsBucket() {
        for (int power = 0; power < 44; power++) {
            assertThat(ExponentialBuckets.indexOf(1L << power)).isEqualTo(16 * power - 1);
        }
    }

    @Test
    void nothingAndZerosNeedNoBuckets() {
        assertThat(buckets().counts()).isEmpty();
        histogram.record(0);
        histogram.record(0);
        assertThat(buckets().zeros()).isEqualTo(2);
        assertThat(buckets().counts()).isEmpty();
    }

    @Test
    void oneValueHasOneBucket() {
        histogram.record(7);
        histogram.record(7);
        assertThat(buckets().counts()).containsExactly(2L);
        assertThat(buckets().offset()).isEqualTo(ExponentialBuckets.indexOf(7));
    }

    @Test
    void theWholeRangeFits() {
        histogram.record(1);
        histogram.record(Long.MAX_VALUE);
        assertThat(buckets().counts()).hasSizeBetween(2, ExponentialBuckets.MOST);
        assertThat(buckets().scale()).isEqualTo(1);
        assertThat(upperEnd(
                        buckets().scale(),
                        buckets().offset() + buckets().counts().size() - 1))
                .isGreaterThanOrEqualTo(Math.pow(2, 44) * (1 - 1e-9));
    }

    @Test
    void narrowRangesAreAsFineAsWeKnowThem() {
        for (int value = 100; value < 1000; value++) {
            histogram.record(value);
        }
        assertThat(buckets().scale()).isEqualTo(4);
    }

    @Test
    void everyValueIsCountedNearWhereItBelongs() {
        Random random = new Random(5);
        for (int round = 0; round < 200; round++) {
            Histogram one = new Metrics().histogram(MetricName.FUSE_IO_SIZE, "read");
            long middle = 1 + (long) Math.pow(2, random.nextDouble() * 43);
            int copies = 1 + random.nextInt(5);
            for (int i = 0; i < copies; i++) {
                one.record(middle);
            }
            ExponentialBuckets buckets = ExponentialBuckets.of(one.snapshot());
            assertThat(buckets.counts().stream().mapToLong(Long::longValue).sum())
                    .isEqualTo(copies);
            // Our own bucket is 1/16 wide at most, and its middle decides.
            assertThat(upperEnd(buckets.scale(), buckets.offset())).isBetween(middle * 0.96, middle * 1.09);
        }
    }
}
