package s3csi.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import s3csi.csi.v1.ControllerGetCapabilitiesRequest;
import s3csi.csi.v1.ControllerGrpc;
import s3csi.csi.v1.NodeGetCapabilitiesRequest;
import s3csi.csi.v1.NodeGetInfoRequest;
import s3csi.csi.v1.NodeGrpc;
import s3csi.driver.grpc.Connection;

class MainTest {
    private final Path scratch;
    private final Path socket;

    MainTest(@TempDir Path scratch) throws IOException {
        this.scratch = scratch;
        this.socket = scratch.resolve("csi.sock");
        Files.createDirectory(scratch.resolve("pods"));
    }

    private DriverProcess start(boolean controllerOnly) throws Exception {
        return start(controllerOnly, socket);
    }

    private DriverProcess start(boolean controllerOnly, Path at) throws Exception {
        DriverOptions options = new DriverOptions();
        new CommandLine(options)
                .parseArgs("--mounter=process", "--http-endpoint=", "--endpoint=unix://" + at, "--node-id=n1");
        return Main.start(DriverConfig.of(
                options,
                Map.of(
                        "CSI_CONTROLLER_ONLY",
                        String.valueOf(controllerOnly),
                        "KUBELET_PATH",
                        scratch.toString(),
                        "AWS_ENDPOINT_URL",
                        "http://127.0.0.1:1"),
                Optional.of(scratch)));
    }

    @Test
    void aNodeHasAllServices() throws Exception {
        try (DriverProcess _ = start(false);
                Connection connection = Connection.to(socket)) {
            NodeGrpc.NodeBlockingStub node = NodeGrpc.newBlockingStub(connection.channel());
            assertThat(node.nodeGetInfo(NodeGetInfoRequest.getDefaultInstance()).getNodeId())
                    .isEqualTo("n1");
            assertThat(node.nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance())
                            .getCapabilitiesCount())
                    .isEqualTo(3);
            assertThat(ControllerGrpc.newBlockingStub(connection.channel())
                            .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
                            .getCapabilitiesCount())
                    .isEqualTo(1);
        }
    }

    @Test
    void aControllerHasNoNodeService() throws Exception {
        try (DriverProcess _ = start(true);
                Connection connection = Connection.to(socket)) {
            assertThatThrownBy(() -> NodeGrpc.newBlockingStub(connection.channel())
                            .nodeGetInfo(NodeGetInfoRequest.getDefaultInstance()))
                    .isInstanceOf(StatusRuntimeException.class)
                    .hasMessageContaining("UNIMPLEMENTED");
        }
    }

    @Test
    void aDriverThatCannotListenStopsWhatItHadStarted() throws Exception {
        Path nowhere = scratch.resolve("missing/csi.sock");
        assertThatThrownBy(() -> start(false, nowhere)).hasMessageContaining("there is no directory");
        // The next one would wait for the directory of the first.
        try (DriverProcess next = start(false)) {
            assertThat(next.isReady()).isTrue();
        }
    }
}
