package s3csi.provisioner.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsiAddressTest {
    @ParameterizedTest
    @ValueSource(strings = {"unix:///csi/csi.sock", "unix:/csi/csi.sock", "/csi/csi.sock", "/csi//./csi.sock"})
    void theFormsOfTheSidecarAreTaken(String text) {
        assertThat(CsiAddress.parse(text).socket()).isEqualTo(Path.of("/csi/csi.sock"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "csi.sock", "unix://csi/csi.sock", "tcp://127.0.0.1:5", "unix:///"})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> CsiAddress.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("unix:///path/to/csi.sock");
    }
}
