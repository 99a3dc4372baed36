package s3csi.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CapacityRangeTest {
    private static final long GIB = 1L << 30;

    @Test
    void grantsWhatIsRequiredOrOneGibibyte() {
        assertThat(new CapacityRange(5, 0).granted()).isEqualTo(5);
        assertThat(CapacityRange.ANY.granted()).isEqualTo(GIB);
        assertThat(new CapacityRange(0, 7).granted()).isEqualTo(7);
        assertThat(new CapacityRange(0, 2 * GIB).granted()).isEqualTo(GIB);
    }

    @Test
    void admitsWhatLiesBetween() {
        CapacityRange range = new CapacityRange(5, 9);
        assertThat(range.admits(5)).isTrue();
        assertThat(range.admits(9)).isTrue();
        assertThat(range.admits(4)).isFalse();
        assertThat(range.admits(10)).isFalse();
        assertThat(CapacityRange.ANY.admits(123)).isTrue();
    }

    @Test
    void refusesNonsense() {
        assertThatThrownBy(() -> new CapacityRange(-1, 0)).hasMessageContaining("negative");
        assertThatThrownBy(() -> new CapacityRange(0, -1)).hasMessageContaining("negative");
        assertThatThrownBy(() -> new CapacityRange(2, 1)).hasMessageContaining("more than limit_bytes");
    }
}
