package s3csi.testbed.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the chart renders, as text: all of it for the default, and elsewhere what is different from that. */
@Tag("chart")
class RendersTest {
    private static final Pattern KIND = Pattern.compile("(?m)^kind: (\\S+)$");
    private static final Pattern NAME = Pattern.compile("(?m)^  name: (\\S+)$");
    private static final Pattern NAMESPACE = Pattern.compile("(?m)^  namespace: (\\S+)$");
    private static final Path VALUES = Path.of("src", "test", "resources", "s3csi", "testbed", "chart");

    @Test
    void byDefault() {
        Expected.assertRendered("default.yaml", withoutVersion(Helm.rendered(Helm.set())));
    }

    static Stream<Arguments> variants() {
        return Stream.of(
                Arguments.of(
                        "tls",
                        Helm.set("tls.caCertConfigMap=authorities", "tls.caCertData=-----BEGIN CERTIFICATE-----")),
                Arguments.of("openshift", Helm.set("isOpenShift=true")),
                Arguments.of("kubelet-path", Helm.set("node.kubeletPath=/var/data/kubelet/")),
                Arguments.of(
                        "pull-secrets",
                        Helm.set("imagePullSecrets={registry,other}", "mountpointPod.imagePullSecrets={registry}")),
                Arguments.of("without-sidecars", Helm.set("sidecars.enabled=false")),
                Arguments.of("pod-monitors", Helm.set("metrics.podMonitor.enabled=true")),
                Arguments.of(
                        "without-accounts-and-hooks",
                        Helm.set(
                                "node.serviceAccount.create=false", "controller.serviceAccount.create=false",
                                "mountpointPod.createNamespace=false", "hooks.enabled=false")),
                Arguments.of("everything", everything()));
    }

    static List<String> everything() {
        return List.of("--values", VALUES.resolve("everything-values.yaml").toString());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("variants")
    void otherwise(String name, List<String> values) {
        Map<String, String> usual = objects(Helm.rendered(Helm.set()));
        Map<String, String> others = objects(Helm.rendered(values));
        List<String> text = new ArrayList<>();
        usual.keySet().stream()
                .filter(key -> !others.containsKey(key))
                .forEach(key -> text.add("# not there: " + key + "\n"));
        others.forEach((key, object) -> {
            if (!object.equals(usual.get(key))) {
                text.add(object);
            }
        });
        assertThat(text).isNotEmpty();
        Expected.assertRendered(name + ".yaml", withoutVersion(String.join("---\n", text)));
    }

    private static Map<String, String> objects(String rendered) {
        return Stream.of(rendered.split("(?m)^---\n", -1))
                .filter(text -> KIND.matcher(text).find())
                .collect(Collectors.toMap(
                        text -> found(KIND, text) + " " + found(NAMESPACE, text) + "/" + found(NAME, text),
                        text -> text.strip() + "\n",
                        (one, other) -> {
                            throw new AssertionError("twice: " + one + other);
                        },
                        LinkedHashMap::new));
    }

    private static String found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.group(1) : "";
    }

    /** A release changes it, and nothing else. */
    private static String withoutVersion(String text) {
        return text.replace(ChartVersion.current(), "VERSION");
    }
}
