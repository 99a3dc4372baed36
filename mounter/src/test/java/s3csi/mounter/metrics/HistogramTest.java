package s3csi.mounter.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class HistogramTest {
    @Test
    void bucketsFollowEachOtherWithoutGapsOrOverlaps() {
        long expected = 0;
        for (int bucket = 0; bucket < Histogram.BUCKETS; bucket++) {
            assertThat(Histogram.lowestIn(bucket)).isEqualTo(expected);
            assertThat(Histogram.bucketOf(Histogram.lowestIn(bucket))).isEqualTo(bucket);
            assertThat(Histogram.bucketOf(Histogram.highestIn(bucket))).isEqualTo(bucket);
            expected = Histogram.highestIn(bucket) + 1;
        }
        assertThat(expected).isEqualTo(1L << 44);
    }

    @Test
    void valuesOutOfRangeCountAsTheNearest() {
        Histogram histogram = new Histogram();
        histogram.record(-5);
        histogram.record(Long.MAX_VALUE);
        assertThat(histogram.snapshot().count()).isEqualTo(2);
        assertThat(histogram.snapshot().quantile(0)).isZero();
    }

    @Test
    void quantilesAreWithinSixPercent() {
        Histogram histogram = new Histogram();
        for (int i = 1; i <= 100_000; i++) {
            histogram.record(i);
        }
        Distribution all = histogram.snapshot();
        assertThat(all.count()).isEqualTo(100_000);
        assertThat(all.sum()).isEqualTo(5_000_050_000L);
        assertThat((double) all.quantile(0.5)).isCloseTo(50_000, within(3_000.0));
        assertThat((double) all.quantile(0.99)).isCloseTo(99_000, within(6_000.0));
    }

    @Test
    void aDifferenceHoldsOnlyWhatCameSince() {
        Histogram histogram = new Histogram();
        histogram.record(1_000_000);
        Distribution before = histogram.snapshot();
        histogram.record(3);
        histogram.record(5);
        assertThat(histogram.snapshot().since(before))
                .hasToString("n=2: min=3 p10=3 p50=3 avg=4.00 p90=5 p99=5 p99.9=5 max=5");
    }

    @Test
    void nothingIsLostWhenManyRecord() throws Exception {
        Histogram histogram = new Histogram();
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            Random random = new Random(t);
            threads[t] = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 50_000; i++) {
                    histogram.record(random.nextInt(1000));
                }
            });
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(histogram.snapshot().count()).isEqualTo(200_000);
    }
}
