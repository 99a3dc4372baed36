package s3csi.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final Duration SHORTEST = Duration.ofMillis(50);

    private final Backoff<String> backoff = new Backoff<>(SHORTEST, new Random(1));

    @Test
    void itGrowsAndStaysBelowHalfAMinute() {
        assertThat(backoff.afterFailure("a")).isLessThanOrEqualTo(SHORTEST);
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
        assertThat(backoff.afterFailure("b")).isLessThanOrEqualTo(SHORTEST);
        backoff.succeeded("a");
        assertThat(backoff.afterFailure("a")).isLessThanOrEqualTo(SHORTEST);
    }
}
