package s3csi.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.kubernetes.Cluster;
import s3csi.kubernetes.PodAttachment;
import s3csi.s3.testing.process.Scratch;
import s3csi.volume.Driver;

/** What the controller may do is what it does, and nothing else. */
@Tag("api")
class ControllerRightsApiTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String RIGHTS = "controller-rights.yaml";
    private static final KubernetesSerialization JSON = new KubernetesSerialization();

    private static ControlPlane plane;
    private static List<HasMetadata> rights;
    private static Path directory;

    @BeforeAll
    static void start() throws Exception {
        plane = ControlPlane.start();
        directory = Scratch.directory("rights");
        try (InputStream in = ControllerRightsApiTest.class.getResourceAsStream(RIGHTS)) {
            rights = plane.client().load(Objects.requireNonNull(in, RIGHTS)).items();
        }
        rights.forEach(ControllerRightsApiTest::grant);
    }

    @AfterAll
    static void stop() {
        plane.close();
        Scratch.delete(directory);
    }

    private static void grant(HasMetadata role) {
        plane.client().resource(role).create();
        String name = role.getMetadata().getName();
        switch (role) {
            case ClusterRole _ ->
                plane.client()
                        .resource(new ClusterRoleBindingBuilder()
                                .withNewMetadata()
                                .withName(name)
                                .endMetadata()
                                .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", name)
                                .addNewSubject("rbac.authorization.k8s.io", "User", ControlPlane.STRANGER, null)
                                .build())
                        .create();
            default ->
                plane.client()
                        .resource(new RoleBindingBuilder()
                                .withNewMetadata()
                                .withName(name)
                                .withNamespace(role.getMetadata().getNamespace())
                                .endMetadata()
                                .withNewRoleRef("rbac.authorization.k8s.io", "Role", name)
                                .addNewSubject("rbac.authorization.k8s.io", "User", ControlPlane.STRANGER, null)
                                .build())
                        .create();
        }
    }

    private static ControllerProgram program(String name) {
        return ControllerProgram.start(plane.kubeconfigOfStranger(), directory, name);
    }

    @Test
    void allOfItsWorkIsDoneWithTheseRightsAndEachIsUsed() {
        Scenario scenario = new Scenario(plane.client(), "rights");
        scenario.boundVolume("pv");
        scenario.boundVolume("senseless", Driver.NAME, Map.of("cache", "none such"));
        Pod waits = scenario.workload("waits", "n", "senseless");
        try (ControllerProgram first = program("first")) {
            first.awaitLeading();
            Pod one = scenario.workload("one", "n", "pv");
            Pod two = scenario.workload("two", "n", "pv");
            scenario.soon("served", () -> scenario.isServed(one, two));
            scenario.remove(scenario.onlyMountpointPod());
            scenario.soon("replaced", () -> scenario.isServed(one, two));
            scenario.becomes(one, "Succeeded");
            scenario.becomes(two, "Succeeded");
            scenario.soon("released", () -> scenario.attachments().isEmpty());
            scenario.mountpointPods().forEach(scenario::succeedsIfThere);
            scenario.soon("removed", () -> scenario.mountpointPods().isEmpty());
            scenario.soon("told", () -> scenario.eventsAbout(waits).size() == 1);
            assertThat(first.process().terminateWithin(SOON)).isZero();
            assertThat(first.log()).doesNotContainIgnoringCase("forbidden");
        }
        try (ControllerProgram second = program("second")) {
            scenario.soon(
                    "the next one counts up what was told",
                    () -> scenario.eventsAbout(waits).getFirst().getCount() == 2);
            assertThat(second.process().terminateWithin(SOON)).isZero();
            assertThat(second.log()).doesNotContainIgnoringCase("forbidden");
        }
        assertThat(used()).isEqualTo(granted());
    }

    private static Set<String> granted() {
        Set<String> granted = new TreeSet<>();
        for (HasMetadata role : rights) {
            List<PolicyRule> rules = role instanceof ClusterRole all ? all.getRules() : ((Role) role).getRules();
            for (PolicyRule rule : rules) {
                for (String resource : rule.getResources()) {
                    rule.getVerbs()
                            .forEach(verb -> granted.add(right(
                                    verb,
                                    resource,
                                    Objects.requireNonNullElse(
                                            role.getMetadata().getNamespace(), ""))));
                }
            }
        }
        return granted;
    }

    private static String right(String verb, String resource, String namespace) {
        return verb + " " + resource + (namespace.isEmpty() ? "" : " in " + namespace);
    }

    /** Questions what there is, which everybody may ask, are about no resource. */
    private static Set<String> used() {
        Set<String> used = new TreeSet<>();
        for (String line : plane.audited()) {
            Map<?, ?> asked = JSON.unmarshal(line, Map.class);
            if (String.valueOf(asked.get("userAgent")).startsWith("scality-csi-controller/")
                    && asked.get("objectRef") instanceof Map<?, ?> object
                    && object.get("resource") != null) {
                String resource = String.valueOf(object.get("resource"));
                String namespace = resource.equals("events") || object.get("namespace") == null
                        ? ""
                        : String.valueOf(object.get("namespace"));
                used.add(right(String.valueOf(asked.get("verb")), resource, namespace));
            }
        }
        return used;
    }

    private static Stream<Consumer<KubernetesClient>> misdeeds() {
        return Stream.of(
                client -> client.secrets().inNamespace("default").list(),
                client -> client.secrets()
                        .inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                        .list(),
                client -> client.configMaps()
                        .inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                        .list(),
                client -> client.resource(pod("default")).create(),
                client -> client.pods().inNamespace("default").withName("any").delete(),
                client -> client.resource(new ConfigMapBuilder()
                                .withNewMetadata()
                                .withName("any")
                                .withNamespace("default")
                                .endMetadata()
                                .build())
                        .create(),
                client -> client.persistentVolumes().withName("any").delete(),
                client -> client.persistentVolumeClaims()
                        .inNamespace("default")
                        .withName("any")
                        .delete(),
                client -> client.nodes().list(),
                client -> client.leases()
                        .inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                        .withName("other")
                        .get(),
                client -> client.leases().inNamespace("default").list(),
                client -> client.resources(PodAttachment.class).delete());
    }

    private static Pod pod(String namespace) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("any")
                .withNamespace(namespace)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .endContainer()
                .endSpec()
                .build();
    }

    @Test
    void nothingElseIsAllowed() {
        try (KubernetesClient client = Cluster.of(plane.kubeconfigOfStranger()).connect("stranger", "0")) {
            assertThat(misdeeds())
                    .allSatisfy(misdeed -> assertThatThrownBy(() -> misdeed.accept(client))
                            .isInstanceOfSatisfying(
                                    KubernetesClientException.class,
                                    refused -> assertThat(refused.getCode()).isEqualTo(403)));
        }
    }
}
