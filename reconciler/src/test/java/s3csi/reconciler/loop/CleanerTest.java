package s3csi.reconciler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CleanerTest {
    /** It runs on a thread of its own, whose end nobody would notice. */
    @Test
    void aLookThatFailsEndsNeitherTheOthersNorTheNext() {
        AtomicInteger looked = new AtomicInteger();
        Cleaner cleaner = new Cleaner(
                List.of(
                        () -> {
                            throw new IllegalStateException("as if");
                        },
                        looked::incrementAndGet),
                Duration.ofDays(1));

        cleaner.look();
        cleaner.look();

        assertThat(looked).hasValue(2);
    }

    @Test
    void itLooksAtOnceAndThenAgainAndAgainUntilItIsInterrupted() throws InterruptedException {
        CountDownLatch looks = new CountDownLatch(3);
        Cleaner cleaner = new Cleaner(List.of(looks::countDown), Duration.ofMillis(1));

        Thread cleaning = Thread.ofVirtual().start(cleaner::run);

        assertThat(looks.await(30, TimeUnit.SECONDS)).isTrue();
        cleaning.interrupt();
        assertThat(cleaning.join(Duration.ofSeconds(30))).isTrue();
    }
}
