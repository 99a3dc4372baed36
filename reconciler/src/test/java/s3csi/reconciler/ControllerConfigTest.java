package s3csi.reconciler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import s3csi.provisioner.csi.CsiAddress;

class ControllerConfigTest {
    @TempDir
    Path account;

    private final Map<String, String> environment = new HashMap<>(Map.of(
            "KUBERNETES_SERVICE_HOST", "198.19.0.1",
            "KUBERNETES_SERVICE_PORT", "443",
            "MOUNTPOINT_NAMESPACE", "mount-s3",
            "MOUNTPOINT_IMAGE", "image:1",
            "MOUNTPOINT_PRIORITY_CLASS_NAME", "critical"));

    @BeforeEach
    void namespace() throws IOException {
        Files.writeString(account.resolve("namespace"), "kube-system\n");
    }

    private ControllerConfig config(String... arguments) {
        ControllerOptions options = new ControllerOptions();
        new CommandLine(options).parseArgs(arguments);
        return ControllerConfig.of(options, environment, account);
    }

    @Test
    void theEnvironmentOfEarlierReleasesIsEnough() {
        environment.put("MOUNTPOINT_VERSION", "1.18.0");
        environment.put("MOUNTPOINT_IMAGE_PULL_POLICY", "Always");
        environment.put("TLS_CA_CERT_CONFIGMAP", "authorities");
        ControllerConfig config = config();
        assertThat(config.leaseNamespace()).isEqualTo("kube-system");
        assertThat(config.settings().namespace()).isEqualTo("mount-s3");
        assertThat(config.settings().image()).isEqualTo("image:1");
        assertThat(config.settings().imagePullPolicy()).isEqualTo("Always");
        assertThat(config.settings().priorityClass()).isEqualTo("critical");
        assertThat(config.settings().engineVersion()).isEqualTo("1.18.0");
        assertThat(config.settings().authorities()).isEqualTo(Optional.of("authorities"));
        assertThat(config.settings().command()).isEqualTo("/bin/scality-s3-csi-mounter");
    }

    @Test
    void optionsWinOverTheEnvironment() {
        ControllerConfig config = config(
                "--mountpoint-namespace=other",
                "--mountpoint-image=image:2",
                "--leader-election-namespace=leases",
                "--http-endpoint=");
        assertThat(config.settings().namespace()).isEqualTo("other");
        assertThat(config.settings().image()).isEqualTo("image:2");
        assertThat(config.leaseNamespace()).isEqualTo("leases");
        assertThat(config.http()).isEmpty();
    }

    @Test
    void optionsThatOnlyEarlierReleasesNeededDoNoHarm() {
        assertThat(config("--headroom-image=pause", "--tls-init-image=alpine", "--tls-init-resources-req-cpu=10m"))
                .isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"MOUNTPOINT_NAMESPACE", "MOUNTPOINT_IMAGE", "MOUNTPOINT_PRIORITY_CLASS_NAME"})
    void whatIsMissingIsNamed(String variable) {
        environment.remove(variable);
        assertThatThrownBy(this::config)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(variable);
    }

    @Test
    void volumesAreProvisionedOnlyWhenThatIsAskedFor() {
        assertThat(config().provisioning()).isEmpty();
        assertThat(config("--csi-address=/elsewhere.sock").provisioning()).isEmpty();
        assertThat(config("--provision").provisioning()).hasValue(CsiAddress.parse("/csi/csi.sock"));
        assertThat(config("--provision", "--csi-address=unix:///elsewhere.sock").provisioning())
                .hasValue(CsiAddress.parse("/elsewhere.sock"));
        assertThatThrownBy(() -> config("--provision", "--csi-address=elsewhere"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--csi-address");
    }

    @Test
    void aPullPolicyThatKubernetesDoesNotKnowIsRefused() {
        assertThatThrownBy(() -> config("--mountpoint-image-pull-policy=Sometimes"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Sometimes");
    }
}
