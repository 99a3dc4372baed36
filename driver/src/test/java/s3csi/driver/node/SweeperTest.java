package s3csi.driver.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SweeperTest {
    private static final Duration SHORT = Duration.ofMillis(1);

    @Test
    void whatFailsOnceIsTriedAgain() throws InterruptedException {
        CountDownLatch sweeps = new CountDownLatch(3);
        try (Sweeper _ = new Sweeper(
                () -> {
                    sweeps.countDown();
                    throw new IllegalStateException("on purpose");
                },
                SHORT)) {
            assertThat(sweeps.await(30, TimeUnit.SECONDS)).as("three sweeps").isTrue();
        }
    }
}
