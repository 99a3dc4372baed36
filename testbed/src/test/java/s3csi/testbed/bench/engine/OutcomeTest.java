package s3csi.testbed.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.testbed.contender.Contender.MOUNTPOINT;
import static s3csi.testbed.contender.Contender.OURS;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import s3csi.testbed.contender.Contender;

final class OutcomeTest {
    @Test
    void comparesMediansAndNotTheColdRound() {
        Outcome outcome = outcome(List.of(Bar.faster(2.0)), 1, 100, 1.5);
        warm(outcome, MOUNTPOINT, 2, 2, 5);
        outcome.cold(OURS, new Measurement(50, 50, 50));

        assertThat(outcome.median(OURS)).map(Measurement::seconds).contains(1.5);
        assertThat(Bar.faster(2.0).value(outcome).orElseThrow()).isBetween(1.33, 1.34);
        assertThat(outcome.isGood()).isFalse();
    }

    @Test
    void moreSpeedIsBetterAndLessCpuIsBetter() {
        Outcome outcome = outcome(List.of(Bar.faster(1.1), Bar.cpu(0.75)), 1);
        outcome.warm(MOUNTPOINT, new Measurement(1.2, 2, 1));

        assertThat(Bar.faster(1.1).value(outcome).filter(Bar.faster(1.1)::isHeldBy))
                .isPresent();
        assertThat(Bar.faster(1.3).value(outcome).filter(Bar.faster(1.3)::isHeldBy))
                .isEmpty();
        assertThat(Bar.cpu(0.75).value(outcome).filter(Bar.cpu(0.75)::isHeldBy)).isPresent();
        assertThat(Bar.cpu(0.4).value(outcome).filter(Bar.cpu(0.4)::isHeldBy)).isEmpty();
        assertThat(outcome.isGood()).isTrue();
    }

    @Test
    void whoFailedHoldsNoBar() {
        Outcome outcome = outcome(List.of(Bar.faster(0.1)), 1);
        warm(outcome, MOUNTPOINT, 1);
        assertThat(outcome.isGood()).isTrue();

        outcome.failed(OURS, "wrong bytes");

        assertThat(outcome.median(OURS)).isEmpty();
        assertThat(outcome.isGood()).isFalse();
    }

    @Test
    void aPeerThatIsTooSlowProvesNothing() {
        Outcome outcome = outcome(List.of(Bar.faster(1.0)), 1);
        warm(outcome, MOUNTPOINT, 11);

        assertThat(outcome.isPeerTooSlow()).isTrue();
        assertThat(outcome.isGood()).isFalse();
    }

    private static Outcome outcome(List<Bar> bars, double... seconds) {
        Outcome outcome = new Outcome("read", "reads", new Work(1, "MiB"), bars, Optional.of(Duration.ofSeconds(10)));
        warm(outcome, OURS, seconds);
        return outcome;
    }

    private static void warm(Outcome outcome, Contender contender, double... seconds) {
        for (double second : seconds) {
            outcome.warm(contender, new Measurement(second, 1, 1));
        }
    }
}
