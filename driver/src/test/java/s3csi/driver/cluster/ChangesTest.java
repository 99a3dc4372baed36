package s3csi.driver.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ChangesTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final Changes changes = new Changes();

    @Test
    void whatHappenedBeforeTheWaitingEndsItAtOnce() throws InterruptedException {
        long known = changes.count();
        changes.happened();
        changes.awaitAfter(known, LONG);
        assertThat(changes.count()).isEqualTo(known + 1);
    }

    @Test
    void allWhoWaitAreWoken() throws InterruptedException {
        Thread[] waiting = new Thread[3];
        for (int i = 0; i < waiting.length; i++) {
            waiting[i] = Thread.ofVirtual().start(() -> {
                try {
                    changes.awaitAfter(0, LONG);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
        }
        changes.happened();
        for (Thread thread : waiting) {
            thread.join();
        }
    }

    @Test
    void patienceEnds() throws InterruptedException {
        long begin = System.nanoTime();
        changes.awaitAfter(0, Duration.ofMillis(20));
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(19));
        changes.awaitAfter(0, Duration.ZERO);
        changes.awaitAfter(0, Duration.ofSeconds(-1));
    }
}
