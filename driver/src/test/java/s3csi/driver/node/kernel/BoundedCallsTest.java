package s3csi.driver.node.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import s3csi.volume.Cause;
import s3csi.volume.VolumeFailure;

class BoundedCallsTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(20);

    private final BoundedCalls calls = new BoundedCalls();

    @Test
    void givesResultsAndFailuresBack() throws IOException {
        assertThat(calls.call("x", String.class, LONG, () -> "done")).contains("done");
        assertThatThrownBy(() -> calls.call("x", String.class, LONG, () -> {
                    throw new IOException("no");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("no");
        assertThatThrownBy(() -> calls.call("x", String.class, LONG, () -> {
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aCallThatHangsIsGivenUpAndLosesOneThreadOnly() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        CountDownLatch first = new CountDownLatch(1);
        for (int i = 0; i < 3; i++) {
            assertThat(calls.call("x", Boolean.class, SHORT, () -> {
                        begun.incrementAndGet();
                        first.countDown();
                        end.await();
                        return true;
                    }))
                    .isEmpty();
        }
        // Its thread may not have had a turn yet when the last of the three is given up.
        assertThat(first.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(begun).hasValue(1);
        assertThat(calls.call("other", Boolean.class, LONG, () -> true)).contains(true);
        end.countDown();
        assertThat(calls.call("x", Boolean.class, LONG, () -> false)).isPresent();
    }

    @Test
    void aDriverThatStopsBreaksItOff() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> calls.call("x", Boolean.class, LONG, () -> {
                    Thread.sleep(LONG);
                    return true;
                }))
                .isInstanceOfSatisfying(
                        VolumeFailure.class,
                        failure -> assertThat(failure.reason()).isEqualTo(new Cause.Stopping()));
        assertThat(Thread.interrupted()).isFalse();
    }
}
