package s3csi.driver.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import s3csi.volume.VolumeFailure;

class InFlightTest {
    private final InFlight inFlight = new InFlight();

    @Test
    void aSecondCallForTheSameVolumeIsTurnedAway() {
        String answer = inFlight.only("v", () -> {
            assertThatThrownBy(() -> inFlight.only("v", () -> "inner"))
                    .isInstanceOf(VolumeFailure.class)
                    .hasMessageContaining("still running");
            return inFlight.only("w", () -> "other volumes go on");
        });
        assertThat(answer).isEqualTo("other volumes go on");
    }

    @Test
    void theTurnEndsWithTheCallHoweverItEnds() {
        assertThatThrownBy(() -> inFlight.only("v", () -> {
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");
        assertThat(inFlight.<String>only("v", () -> "next")).isEqualTo("next");
    }
}
