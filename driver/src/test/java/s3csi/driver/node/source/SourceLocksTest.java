package s3csi.driver.node.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import s3csi.driver.node.kernel.Deadline;
import s3csi.volume.VolumeFailure;

class SourceLocksTest {
    private static final Deadline LONG = Deadline.after(Duration.ofMinutes(1));
    private static final Deadline NOW = Deadline.after(Duration.ZERO);

    private final SourceLocks locks = new SourceLocks();

    @Test
    void oneHasItAndOthersGetItLaterOrGiveUp() throws Exception {
        try (ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
            FutureTask<Boolean> waiting = new FutureTask<>(() -> {
                locks.take("a", LONG).close();
                return true;
            });
            try (SourceLocks.Held _ = locks.take("a", LONG)) {
                assertThat(others.submit(() -> locks.tryTake("a", NOW)).get()).isEmpty();
                assertThatThrownBy(
                                () -> others.submit(() -> locks.take("a", NOW)).get())
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(VolumeFailure.class);
                Thread thread = Thread.ofPlatform().daemon().start(waiting);
                while (thread.getState() != Thread.State.TIMED_WAITING) {
                    assertThat(thread.isAlive()).as("it waits for the lock").isTrue();
                    Thread.onSpinWait();
                }
                assertThat(waiting).isNotDone();
                others.submit(() -> locks.take("b", NOW).close()).get();
            }
            assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(locks.count()).isZero();
    }

    @Test
    void whoIsInterruptedWhileWaitingLeavesNothing() throws Exception {
        try (SourceLocks.Held _ = locks.take("a", LONG)) {
            FutureTask<SourceLocks.Held> waiting = new FutureTask<>(() -> locks.take("a", LONG));
            Thread thread = Thread.ofPlatform().daemon().start(waiting);
            thread.interrupt();
            assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(VolumeFailure.class);
        }
        assertThat(locks.count()).isZero();
    }
}
