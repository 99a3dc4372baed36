package s3csi.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ToldBeforeTest {
    private long now = -5;
    private final ToldBefore told = new ToldBefore(() -> now);

    private int tell(String message) {
        return told.countIfDue("uid", "Reason", message);
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    @Test
    void theSameIsToldAgainAfterAWhileWithItsCount() {
        assertThat(tell("wrong")).isEqualTo(1);
        for (int again = 0; again < 19; again++) {
            pass(Duration.ofSeconds(30));
            assertThat(tell("wrong")).isZero();
        }
        pass(Duration.ofSeconds(30));
        assertThat(tell("wrong")).isEqualTo(20);
        assertThat(tell("wrong")).isZero();
    }

    @Test
    void otherObjectsAndReasonsAreToldAtOnce() {
        assertThat(tell("wrong")).isEqualTo(1);
        assertThat(told.countIfDue("other", "Reason", "wrong")).isEqualTo(1);
        assertThat(told.countIfDue("uid", "Other", "wrong")).isEqualTo(1);
    }

    @Test
    void messagesThatAlwaysDifferAreNoFlood() {
        int count = 0;
        for (int number = 0; number < 100; number++) {
            count += tell("used: " + number);
        }
        assertThat(count).isEqualTo(ToldBefore.MOST_MESSAGES);
        pass(ToldBefore.AGAIN_AFTER);
        assertThat(tell("used: 100")).isEqualTo(1);
    }

    @Test
    void itForgetsRatherThanGrow() {
        for (int number = 0; number < 10_000; number++) {
            assertThat(told.countIfDue("uid-" + number, "Reason", "wrong")).isEqualTo(1);
        }
        assertThat(told.countIfDue("uid-9999", "Reason", "wrong")).isZero();
        assertThat(told.countIfDue("uid-0", "Reason", "wrong")).isEqualTo(1);
    }
}
