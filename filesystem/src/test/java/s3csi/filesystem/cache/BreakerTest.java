package s3csi.filesystem.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BreakerTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5 * SECOND);
    private final Breaker breaker = new Breaker("read", now::get);

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            breaker.failed(new IOException("on purpose"));
        }
    }

    @Test
    void aDiskThatFailsAgainAndAgainIsLeftAloneForAWhile() {
        assertThat(breaker.isResting()).isFalse();
        fail(7);
        assertThat(breaker.isResting()).isFalse();
        fail(1);
        assertThat(breaker.isResting()).isTrue();
        now.addAndGet(29 * SECOND);
        assertThat(breaker.isResting()).isTrue();
        now.addAndGet(2 * SECOND);
        assertThat(breaker.isResting()).isFalse();
    }

    @Test
    void failuresCountOnlyInARow() {
        for (int round = 0; round < 3; round++) {
            fail(7);
            breaker.succeeded();
        }
        assertThat(breaker.isResting()).isFalse();
    }

    @Test
    void afterARestItIsAsPatientAsBefore() {
        fail(8);
        now.addAndGet(31 * SECOND);
        fail(7);
        assertThat(breaker.isResting()).isFalse();
    }
}
