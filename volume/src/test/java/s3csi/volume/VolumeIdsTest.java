package s3csi.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VolumeIdsTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "a\nb", "a\u0000", "\u001b[2J", "a\u202eb"})
    void neitherNamesNorIdsMayHideAnything(String text) {
        assertThatThrownBy(() -> new VolumeName(text))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("Invalid name");
        assertThatThrownBy(() -> new VolumeId(text))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("Invalid volume_id");
    }

    @Test
    void lengthsAreCountedInBytes() {
        assertThat(new VolumeName("a".repeat(128)).text()).hasSize(128);
        assertThatThrownBy(() -> new VolumeName("ä".repeat(65))).hasMessageContaining("more than 128 bytes");
        assertThat(new VolumeId("/".repeat(1024)).text()).hasSize(1024);
        assertThatThrownBy(() -> new VolumeId("a".repeat(1025))).hasMessageContaining("more than 1024 bytes");
    }

    @Test
    void aStaticIdMayHoldAlmostAnything() {
        assertThat(new VolumeId("team/volume one=ü")).hasToString("team/volume one=ü");
    }
}
