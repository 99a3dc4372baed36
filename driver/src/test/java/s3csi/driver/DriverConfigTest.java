package s3csi.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import s3csi.driver.grpc.EndpointAddress;
import s3csi.driver.node.PublishReader.WithoutSecret;
import s3csi.driver.registration.Registration;
import s3csi.volume.Region;
import s3csi.volume.StorageClassParameters.UnknownParameters;
import s3csi.volume.mount.EnginePlace;

class DriverConfigTest {
    private static DriverConfig config(Map<String, String> changes, String... arguments) {
        Map<String, String> environment = new HashMap<>(Map.of(
                "CSI_CONTROLLER_ONLY",
                "true",
                "CSI_NODE_NAME",
                "controller",
                "AWS_ENDPOINT_URL",
                "http://127.0.0.1:1"));
        environment.putAll(changes);
        DriverOptions options = new DriverOptions();
        new CommandLine(options).parseArgs(arguments);
        return DriverConfig.of(options, environment, Optional.of(Path.of("/opt/bin")));
    }

    @Test
    void defaultsAreThoseOfEarlierReleases() {
        DriverConfig config = config(Map.of());
        assertThat(config.csi()).isEqualTo(new EndpointAddress.Unix(Path.of("/tmp/csi.sock")));
        assertThat(config.region()).isEqualTo(Region.DEFAULT);
        assertThat(config.http())
                .hasValueSatisfying(a -> assertThat(a.getPort()).isEqualTo(9808));
        assertThat(config.store().trust()).isEmpty();
        assertThat(config.unknownParameters()).isEqualTo(UnknownParameters.REFUSE);
    }

    @Test
    void flagsAndEnvironmentAreTaken() {
        DriverConfig config = config(
                Map.of("AWS_REGION", "eu-1", "MOUNTPOINT_VERSION", "1.2.3", "CSI_NODE_NAME", ""),
                "--node-id=n1",
                "--endpoint",
                "tcp://127.0.0.1:5",
                "--http-endpoint=",
                "--ignore-unknown-parameters",
                "--v=4");
        assertThat(config.region()).isEqualTo(new Region("eu-1"));
        assertThat(config.mountpointVersion()).isEqualTo("1.2.3");
        assertThat(config.http()).isEmpty();
        assertThat(config.unknownParameters()).isEqualTo(UnknownParameters.IGNORE);
    }

    @ParameterizedTest
    @CsvSource({
        "AWS_ENDPOINT_URL, '', AWS_ENDPOINT_URL environment variable must be set",
        "AWS_ENDPOINT_URL, ftp://x, does not begin with http",
        "AWS_ENDPOINT_URL, http://, cannot be used",
        "AWS_ENDPOINT_URL, http://x?y=z, must be a host",
        "CSI_NODE_NAME, '', node-id is required",
        "CSI_CONTROLLER_ONLY, '', this is no pod of a cluster",
        "CSI_CONTROLLER_ONLY, TRUE, must be true or false",
        "CSI_CONTROLLER_ONLY, yes, 'must be true or false, not \"yes\"'",
        "AWS_CA_BUNDLE, /no/such/file, AWS_CA_BUNDLE /no/such/file cannot be used: there is no such file; it must be a file of PEM certificates",
        "AWS_REGION, 'a b', is not the name of a region"
    })
    void whatCannotWorkIsSaidBeforeAnythingStarts(String variable, String value, String words) {
        assertThatThrownBy(() -> config(Map.of(variable, value))).hasMessageContaining(words);
    }

    @Test
    void aControllerHasNoNodeService() {
        assertThat(config(Map.of()).node()).isEqualTo(new NodeSetup.ControllerOnly());
    }

    @Test
    void aNodeKnowsItsDirectories(@TempDir Path kubelet) throws IOException {
        Path pods = Files.createDirectory(kubelet.resolve("pods"));
        Map<String, String> environment = Map.of(
                "CSI_CONTROLLER_ONLY", "", "CSI_NODE_NAME", "n1", "AWS_REGION", "eu-1", "KUBELET_PATH", kubelet + "/");
        assertThat(config(environment, "--mounter=process", "--max-memory-target=512")
                        .node())
                .isEqualTo(new NodeSetup.Node(
                        "n1",
                        kubelet.resolve("plugins/s3.csi.scality.com"),
                        pods,
                        new NodeSetup.Engines.Processes(
                                Path.of("/opt/bin/scality-s3-csi-mounter"),
                                Map.of("AWS_ENDPOINT_URL", "http://127.0.0.1:1", "AWS_REGION", "eu-1"),
                                new EnginePlace.Node(512),
                                WithoutSecret.REFUSED)));
    }

    @Test
    void volumesMayAskForAQuarterOfTheMachinesMemory(@TempDir Path root) {
        Map<String, String> environment = Map.of("CSI_CONTROLLER_ONLY", "");
        long machine = ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getTotalMemorySize();
        assertThat(config(environment, "--mounter=process", "--target-root=" + root)
                        .node())
                .isInstanceOfSatisfying(
                        NodeSetup.Node.class,
                        node -> assertThat(node.engines().place())
                                .isInstanceOfSatisfying(
                                        EnginePlace.Node.class,
                                        // The tests may run in a container that has less than the machine.
                                        place -> assertThat(place.mostMemory())
                                                .isBetween((int) Math.max(128, machine >> 22), 1 << 24)));
    }

    @Test
    void aNodeCanBeToldOthers(@TempDir Path root) {
        assertThat(config(
                                Map.of("CSI_CONTROLLER_ONLY", "false", "HOST_PLUGIN_DIR", "/plugin/"),
                                "--mounter=process",
                                "--target-root=" + root,
                                "--driver-keys-without-secret",
                                "--mounter-command=/m",
                                "--max-memory-target=128")
                        .node())
                .isEqualTo(new NodeSetup.Node(
                        "controller",
                        Path.of("/plugin"),
                        root,
                        new NodeSetup.Engines.Processes(
                                Path.of("/m"),
                                Map.of("AWS_ENDPOINT_URL", "http://127.0.0.1:1"),
                                new EnginePlace.Node(128),
                                WithoutSecret.DRIVER_KEYS)));
    }

    @Test
    void aNodeMakesItselfKnownOnlyWhenTold(@TempDir Path root) {
        Map<String, String> node = Map.of("CSI_CONTROLLER_ONLY", "", "HOST_PLUGIN_DIR", "/host/plugin");
        String targets = "--target-root=" + root;
        assertThat(config(node, "--mounter=process", targets).registration()).isEmpty();
        assertThat(config(
                                node,
                                "--mounter=process",
                                targets,
                                "--endpoint=unix:/csi/csi.sock",
                                "--registration-dir=/registration")
                        .registration())
                .hasValue(new Registration(Path.of("/registration"), Path.of("/host/plugin/csi.sock")));
        assertThat(config(
                                node,
                                "--mounter=process",
                                targets,
                                "--registration-dir=/registration",
                                "--kubelet-registration-path=/elsewhere/csi.sock")
                        .registration())
                .hasValue(new Registration(Path.of("/registration"), Path.of("/elsewhere/csi.sock")));
    }

    @ParameterizedTest
    @CsvSource({
        "false, '--registration-dir=registry', '--registration-dir must be an absolute path'",
        "false, '--registration-dir=/r --kubelet-registration-path=csi.sock', 'must be an absolute path'",
        "false, '--registration-dir=/r --endpoint=tcp://127.0.0.1:5', 'needs an --endpoint that is a Unix socket'",
        "false, '--kubelet-registration-path=/csi.sock', 'is of use only with --registration-dir'",
        "true, '--registration-dir=/r', 'is for a driver on a node'"
    })
    void senselessRegistrationsAreRefused(String controllerOnly, String arguments, String words, @TempDir Path kubelet)
            throws IOException {
        Files.createDirectory(kubelet.resolve("pods"));
        Map<String, String> environment =
                Map.of("CSI_CONTROLLER_ONLY", controllerOnly, "KUBELET_PATH", kubelet.toString());
        assertThatThrownBy(() -> config(environment, ("--mounter=process " + arguments).split(" ", -1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(words);
    }

    @ParameterizedTest
    @CsvSource({
        "--target-root=relative, '--target-root must be an absolute path'",
        "--target-root=/no/such/directory, 'a directory that exists'",
        "--mounter-command=m, '--mounter-command must be an absolute path'",
        "--max-memory-target=127, '--max-memory-target must be at least 128'",
        "--max-memory-target=-1, '--max-memory-target must be at least 128'"
    })
    void senselessNodesAreRefused(String argument, String words, @TempDir Path kubelet) throws IOException {
        Files.createDirectory(kubelet.resolve("pods"));
        Map<String, String> environment = Map.of("CSI_CONTROLLER_ONLY", "", "KUBELET_PATH", kubelet.toString());
        assertThatThrownBy(() -> config(environment, "--mounter=process", argument))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(words);
    }

    @Test
    void anUnknownMounterIsRefused() {
        assertThatThrownBy(() -> config(Map.of("CSI_CONTROLLER_ONLY", ""), "--mounter=systemd"))
                .hasMessageContaining("--mounter must be process or pod");
    }

    @Test
    void aPathInTheEndpointIsDoubted() {
        assertThat(config(Map.of("AWS_ENDPOINT_URL", "https://store/bucket"))
                        .store()
                        .doubt())
                .hasValueSatisfying(words -> assertThat(words)
                        .contains("https://store/bucket has a path, which comes before the bucket in every request"));
        assertThat(config(Map.of("AWS_ENDPOINT_URL", "https://store/")).store().doubt())
                .isEmpty();
    }

    @Test
    void keysInTheEndpointAreRefusedAndNotShown() {
        assertThatThrownBy(() -> config(Map.of("AWS_ENDPOINT_URL", "https://id:canary@store")))
                .hasMessageContaining("credential Secret")
                .hasMessageNotContaining("canary");
    }

    @Test
    void aBundleWithoutCertificatesIsRefused(@TempDir Path directory) throws IOException {
        Path bundle = Files.writeString(directory.resolve("ca.crt"), "");
        assertThatThrownBy(() -> config(Map.of("AWS_CA_BUNDLE", bundle.toString())))
                .hasMessageContaining("holds no certificate");
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1:9808, 127.0.0.1", "[::1]:9808, 0:0:0:0:0:0:0:1", ":9808, 0.0.0.0"})
    void healthCanBeServedOnOneAddressOnly(String endpoint, String address) {
        assertThat(config(Map.of(), "--http-endpoint=" + endpoint).http().orElseThrow())
                .satisfies(
                        http -> assertThat(http.getAddress().getHostAddress()).isIn(address, "0:0:0:0:0:0:0:0"))
                .satisfies(http -> assertThat(http.getPort()).isEqualTo(9808));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "1:2:x", ":-1", ":70000"})
    void aSenselessHttpEndpointIsRefused(String endpoint) {
        assertThatThrownBy(() -> config(Map.of(), "--http-endpoint=" + endpoint))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("HOST:PORT");
    }
}
