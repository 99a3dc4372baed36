package s3csi.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import s3csi.csi.v1.ControllerGetCapabilitiesRequest;
import s3csi.csi.v1.ControllerGrpc;
import s3csi.csi.v1.NodeGetCapabilitiesRequest;
import s3csi.csi.v1.NodeGetInfoRequest;
import s3csi.csi.v1.NodeGrpc;
import s3csi.driver.grpc.Connection;
import s3csi.driver.registration.StandInKubelet;

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

    private DriverProcess start(boolean controllerOnly, Path at, String... further) throws Exception {
        DriverOptions options = new DriverOptions();
        CommandLine command = new CommandLine(options);
        List<String> arguments = new ArrayList<>(
                List.of("--mounter=process", "--http-endpoint=", "--endpoint=unix://" + at, "--node-id=n1"));
        arguments.addAll(List.of(further));
        command.parseArgs(arguments.toArray(String[]::new));
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

    /** Kubelet asks the CSI socket who it is before it takes a driver, so that one must be there first. */
    @Test
    void aNodeMakesItselfKnownWhenItCanBeReached() throws Exception {
        Path plugins = Files.createDirectory(scratch.resolve("plugins_registry"));
        AtomicReference<String> answer = new AtomicReference<>("");
        try (StandInKubelet kubelet = new StandInKubelet(plugins, info -> {
                    try (Connection connection = Connection.to(Path.of(info.getEndpoint()))) {
                        answer.set(NodeGrpc.newBlockingStub(connection.channel())
                                .nodeGetInfo(NodeGetInfoRequest.getDefaultInstance())
                                .getNodeId());
                    }
                    return answer.get().equals("n1") ? Optional.empty() : Optional.of("not its name");
                });
                DriverProcess driver = start(
                        false, socket, "--registration-dir=" + plugins, "--kubelet-registration-path=" + socket)) {
            StandInKubelet.await("registered", () -> !kubelet.registered().isEmpty());
            assertThat(answer).hasValue("n1");
            assertThat(driver.trouble()).isEmpty();
        }
    }

    @Test
    void aDriverThatKubeletDoesNotTakeIsNotHealthy() throws Exception {
        Path plugins = Files.createDirectory(scratch.resolve("plugins_registry"));
        try (StandInKubelet _ = new StandInKubelet(plugins, _ -> Optional.of("it is Monday"));
                DriverProcess driver = start(false, socket, "--registration-dir=" + plugins)) {
            StandInKubelet.await("refused", () -> driver.trouble().isPresent());
            assertThat(driver.trouble()).hasValue("kubelet has not taken the driver: it is Monday");
            assertThat(driver.isReady()).as("its socket is served").isTrue();
        }
        assertThat(plugins).isEmptyDirectory();
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
