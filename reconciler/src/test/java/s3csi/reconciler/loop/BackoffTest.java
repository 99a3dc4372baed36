package s3csi.reconciler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private final Backoff<String> backoff = new Backoff<>(new Random(1));

    @Test
    void itGrowsAndStaysBelowHalfAMinute() {
        assertThat(backoff.afterFailure("a")).isLessThanOrEqualTo(Backoff.SHORTEST);
        Duration last = Duration.ZERO;
        for (int i = 0; i < 100; i++) {
            last = backoff.afterFailure("a");
            assertThat(last).isLessThanOrEqualTo(Backoff.LONGEST);
        }
        assertThat(last).isGreaterThanOrEqualTo(Backoff.LONGEST.dividedBy(2));
    }

    @Test
    void itBeginsAnewAfterASuccessAndForEachByItself() {
        for (int i = 0; i < 10; i++) {
            assertThat(backoff.afterFailure("a")).isPositive();
        }
        assertThat(backoff.afterFailure("b")).isLessThanOrEqualTo(Backoff.SHORTEST);
        backoff.succeeded("a");
        assertThat(backoff.afterFailure("a")).isLessThanOrEqualTo(Backoff.SHORTEST);
    }
}
