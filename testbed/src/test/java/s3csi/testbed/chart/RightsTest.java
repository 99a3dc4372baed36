package s3csi.testbed.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.testbed.cluster.Rights;

/** Who may do what: all of it in one file to read, and for the driver's programs what tests have seen them do. */
@Tag("chart")
class RightsTest {
    private static final KubernetesSerialization YAML = new KubernetesSerialization();
    private static final List<HasMetadata> OBJECTS = Helm.objects(Helm.set("cleanupCRDOnUninstall=true"));

    @Test
    void thisIsWhoMayDoWhat() {
        Expected.assertRendered("rights.txt", text(OBJECTS));
    }

    @Test
    void withoutSidecarsThereAreFewer() {
        Expected.assertRendered(
                "rights-without-sidecars.txt",
                text(Helm.objects(Helm.set("sidecars.enabled=false", "hooks.enabled=false"))));
    }

    /** Against the files whose rights the API server's audit log was compared with. */
    @Test
    void theReconcilerMayDoWhatItDoes() {
        assertThat(List.of(
                        rules("s3-csi-driver-controller-cluster-role"),
                        rules("s3-csi-driver-controller-mountpoint-pod-role"),
                        rules("s3-csi-driver-controller-lease-role")))
                .isEqualTo(seen("controller-rights.yaml"));
    }

    @Test
    void aNodeMayDoWhatItDoes() {
        assertThat(List.of(
                        rules("s3-csi-driver-cluster-role"), rules("s3-csi-driver-node-mountpoint-pod-namespace-role")))
                .isEqualTo(seen("node-rights.yaml"));
    }

    private static List<List<PolicyRule>> seen(String file) {
        try (InputStream in = Rights.class.getResourceAsStream(file)) {
            String text = new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
            return Stream.of(text.split("(?m)^---$", -1))
                    .map(YAML::<HasMetadata>unmarshal)
                    .map(RightsTest::rules)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private static List<PolicyRule> rules(String name) {
        return OBJECTS.stream()
                .filter(object -> object.getMetadata().getName().equals(name))
                .filter(object -> object instanceof Role || object instanceof ClusterRole)
                .map(RightsTest::rules)
                .findFirst()
                .orElseThrow();
    }

    private static List<PolicyRule> rules(HasMetadata role) {
        return role instanceof ClusterRole all ? all.getRules() : ((Role) role).getRules();
    }

    /** A paragraph for each binding: the account, where, and each rule in a line. */
    private static String text(List<HasMetadata> objects) {
        return objects.stream()
                .map(object -> switch (object) {
                    case ClusterRoleBinding binding ->
                        paragraph(
                                objects,
                                binding.getSubjects(),
                                "everywhere",
                                binding.getRoleRef().getName(),
                                "");
                    case RoleBinding binding ->
                        paragraph(
                                objects,
                                binding.getSubjects(),
                                "in " + binding.getMetadata().getNamespace(),
                                binding.getRoleRef().getName(),
                                binding.getMetadata().getNamespace());
                    default -> "";
                })
                .filter(paragraph -> !paragraph.isEmpty())
                .sorted()
                .collect(Collectors.joining("\n"));
    }

    private static String paragraph(
            List<HasMetadata> objects, List<Subject> subjects, String where, String role, String namespace) {
        HasMetadata found = objects.stream()
                .filter(object -> object instanceof Role || object instanceof ClusterRole)
                .filter(object -> object.getMetadata().getName().equals(role)
                        && Objects.requireNonNullElse(object.getMetadata().getNamespace(), "")
                                .equals(namespace))
                .findFirst()
                .orElseThrow();
        String who = subjects.stream().map(Subject::getName).collect(Collectors.joining(", "));
        return who + " " + where + ":\n"
                + rules(found).stream().map(RightsTest::line).collect(Collectors.joining());
    }

    private static String line(PolicyRule rule) {
        String names = rule.getResourceNames().isEmpty() ? "" : " named " + String.join(", ", rule.getResourceNames());
        String groups = rule.getApiGroups().stream()
                .filter(group -> !group.isEmpty())
                .map(group -> " of " + group)
                .collect(Collectors.joining());
        return "  " + String.join(", ", rule.getVerbs()) + ": " + String.join(", ", rule.getResources()) + groups
                + names + "\n";
    }
}
