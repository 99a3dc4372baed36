package s3csi.driver.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointAddressTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"unix:/csi/csi.sock", "unix:///csi/csi.sock", "unix://csi/csi.sock", "UNIX:///csi/csi.sock"})
    void everySpellingOfEarlierReleasesNamesTheSameSocket(String text) {
        assertThat(EndpointAddress.parse(text)).isEqualTo(new EndpointAddress.Unix(Path.of("/csi/csi.sock")));
    }

    @Test
    void tcpNeedsHostAndPort() {
        assertThat(EndpointAddress.parse("tcp://127.0.0.1:10000"))
                .isEqualTo(new EndpointAddress.Tcp(new InetSocketAddress(InetAddress.getLoopbackAddress(), 10000)));
    }

    @Test
    void inALogAnAddressIsWhatPeopleCallIt() {
        assertThat(EndpointAddress.parse("unix:///csi/csi.sock")).hasToString("/csi/csi.sock");
        assertThat(EndpointAddress.parse("tcp://127.0.0.1:10000")).hasToString("127.0.0.1:10000");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "csi.sock",
                "/csi/csi.sock",
                "http://x",
                "tcp://host",
                "unix:",
                "unix://",
                "tcp:1",
                "unix:\n/x"
            })
    void theRestIsRefusedWithAnExample(String text) {
        assertThatThrownBy(() -> EndpointAddress.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("unix:///path/to/csi.sock");
    }
}
