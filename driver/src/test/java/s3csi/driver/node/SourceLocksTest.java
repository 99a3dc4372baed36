package s3csi.driver.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import s3csi.volume.VolumeFailure;

class SourceLocksTest {
    private static final Deadline LONG = Deadline.after(Duration.ofMinutes(1));
    private static final Deadline NOW = Deadline.after(Duration.ZERO);

    private final SourceLocks locks = new SourceLocks();

    @Test
    void oneHasItAndOthersGetItLaterOrGiveUp() throws Exception {
        try (ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> waiting;
            try (SourceLocks.Held _ = locks.take("a", LONG)) {
                assertThat(others.submit(() -> locks.tryTake("a", NOW)).get()).isEmpty();
                assertThatThrownBy(
                                () -> others.submit(() -> locks.take("a", NOW)).get())
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(VolumeFailure.class);
                waiting = others.submit(() -> locks.take("a", LONG).close());
                others.submit(() -> locks.take("b", NOW).close()).get();
            }
            waiting.get();
        }
        assertThat(locks.count()).isZero();
    }
}
