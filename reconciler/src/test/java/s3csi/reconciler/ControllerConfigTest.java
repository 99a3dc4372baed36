package s3csi.reconciler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Quantity;
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
import s3csi.reconciler.model.PodResources;

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

    @Test
    void labelsThatPodsCannotHaveAreLeftOut() {
        environment.put("MOUNTPOINT_POD_LABELS", """
                {"team": "storage", "example.com/cost-centre": "42", "s3.csi.scality.com/pod-uid": "mine", "a b": "c",
                 "-": "x", "long": "%s", "number": 7, "nothing": null, "odd/": "x", "UPPER.example/x": "y"}
                """.formatted("x".repeat(64)));
        assertThat(config().settings().labels())
                .containsExactlyInAnyOrderEntriesOf(Map.of("team", "storage", "example.com/cost-centre", "42"));
        assertThat(config("--mountpoint-pod-labels={\"a\":\"b\"}").settings().labels())
                .containsExactly(Map.entry("a", "b"));
    }

    @Test
    void resourcesAreThoseOfAPod() {
        environment.put(
                "MOUNTPOINT_RESOURCES",
                "{\"requests\":{\"cpu\":\"10m\",\"memory\":\"128Mi\",\"ephemeral-storage\":\"1Gi\"},\"limits\":{\"memory\":\"512Mi\"}}");
        assertThat(config().settings().resources())
                .isEqualTo(new PodResources(
                        Map.of(
                                "cpu", new Quantity("10m"),
                                "memory", new Quantity("128Mi"),
                                "ephemeral-storage", new Quantity("1Gi")),
                        Map.of("memory", new Quantity("512Mi"))));
        environment.put("MOUNTPOINT_RESOURCES", "{}");
        assertThat(config().settings().resources()).isEqualTo(PodResources.NONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"requests\":{\"memory\":\"much\"}}",
                "{\"limits\":{\"memory\":\"0\"}}",
                "{\"requests\":{\"cpu\":\"2\"},\"limits\":{\"cpu\":\"1500m\"}}",
                "{\"requests\":7}",
                "none",
                "{"
            })
    void resourcesThatMakeNoSenseAreRefused(String text) {
        environment.put("MOUNTPOINT_RESOURCES", text);
        assertThatThrownBy(this::config)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--mountpoint-resources");
    }

    @Test
    void labelsThatAreNoJsonAreRefused() {
        assertThatThrownBy(() -> config("--mountpoint-pod-labels=team=storage"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--mountpoint-pod-labels");
    }

    @Test
    void pullSecretsMayComeFromTheEnvironment() {
        environment.put("MOUNTPOINT_IMAGE_PULL_SECRETS", "[\"one\", \"two\"]");
        assertThat(config().settings().imagePullSecrets()).containsExactly("one", "two");
        assertThat(config("--mountpoint-image-pull-secret=three").settings().imagePullSecrets())
                .containsExactly("three");
    }

    @ParameterizedTest
    @ValueSource(strings = {"one, two", "{}", "[1]", "[\"\"]"})
    void pullSecretsThatAreNoListOfNamesAreRefused(String text) {
        environment.put("MOUNTPOINT_IMAGE_PULL_SECRETS", text);
        assertThatThrownBy(this::config)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("MOUNTPOINT_IMAGE_PULL_SECRETS");
    }

    @Test
    void theVersionOfTheEngineIsThatOfTheReleaseUnlessItIsToldAndALabelCanHoldIt() {
        environment.put("MOUNTPOINT_VERSION", "");
        assertThat(config().settings().engineVersion())
                .isEqualTo(config().settings().driverVersion());
        assertThatThrownBy(() -> config("--mountpoint-version=1.0 beta"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1.0 beta");
    }
}
