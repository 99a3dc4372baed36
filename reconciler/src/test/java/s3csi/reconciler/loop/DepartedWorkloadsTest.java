package s3csi.reconciler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DepartedWorkloadsTest {
    private final AtomicLong time = new AtomicLong(5);
    private final DepartedWorkloads departed = new DepartedWorkloads(time::get, Duration.ofMinutes(2));

    @Test
    void oneThatWentIsRememberedForAWhileAndThenTakesNoMemory() {
        departed.add("a");
        assertThat(departed.contains("a")).isTrue();
        assertThat(departed.contains("b")).isFalse();
        time.addAndGet(Duration.ofSeconds(119).toNanos());
        departed.add("b");
        assertThat(departed.contains("a")).isTrue();
        time.addAndGet(Duration.ofSeconds(2).toNanos());
        departed.add("b");
        assertThat(departed.contains("a")).isFalse();
        assertThat(departed.contains("b")).isTrue();
    }
}
