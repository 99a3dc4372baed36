package s3csi.testbed.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;
import s3csi.testbed.cluster.ControlPlane;

/** A real API server takes every object of the chart, and knows each of its fields. */
@Tag("chart")
class ApiServerTest {
    private static final Duration DEADLINE = Duration.ofMinutes(1);

    /** A namespace in which the API server enforces the Pod Security Standard of that name. */
    private static final String RESTRICTED = "restricted";

    private static ControlPlane plane;
    private static Path directory;

    @BeforeAll
    static void start() {
        plane = ControlPlane.start();
        directory = Scratch.directory("chart");
        Stream.of(Helm.NAMESPACE, "mounts", RESTRICTED)
                .forEach(name -> plane.client()
                        .resource(new NamespaceBuilder()
                                .withNewMetadata()
                                .withName(name)
                                .addToLabels(
                                        "pod-security.kubernetes.io/enforce",
                                        name.equals(RESTRICTED) ? "restricted" : "privileged")
                                .endMetadata()
                                .build())
                        .create());
        define("monitoring.coreos.com", "ServiceMonitor", "Namespaced");
        define("monitoring.coreos.com", "PodMonitor", "Namespaced");
        define("security.openshift.io", "SecurityContextConstraints", "Cluster");
    }

    @AfterAll
    static void stop() {
        plane.close();
        Scratch.delete(directory);
    }

    /** A kind that other people define; that its objects can be stored is all that can be seen here. */
    private static void define(String group, String kind, String scope) {
        String singular = kind.toLowerCase(Locale.ROOT);
        String plural = singular.endsWith("s") ? singular : singular + "s";
        plane.client()
                .resource(new CustomResourceDefinitionBuilder()
                        .withNewMetadata()
                        .withName(plural + "." + group)
                        .endMetadata()
                        .withNewSpec()
                        .withGroup(group)
                        .withScope(scope)
                        .withNewNames()
                        .withKind(kind)
                        .withPlural(plural)
                        .withSingular(singular)
                        .endNames()
                        .addNewVersion()
                        .withName("v1")
                        .withServed(true)
                        .withStorage(true)
                        .withNewSchema()
                        .withNewOpenAPIV3Schema()
                        .withType("object")
                        .withXKubernetesPreserveUnknownFields(true)
                        .endOpenAPIV3Schema()
                        .endSchema()
                        .endVersion()
                        .endSpec()
                        .build())
                .create();
        Await.until(DEADLINE, () -> "no " + plural + " of " + group, () -> {
            var found = plane.client().getApiResources(group + "/v1");
            return found != null
                    && found.getResources().stream()
                            .anyMatch(resource -> resource.getName().equals(plural));
        });
    }

    static Stream<Arguments> variants() {
        return Stream.concat(Stream.of(Arguments.of("default", Helm.set())), RendersTest.variants());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("variants")
    void everyObjectIsTaken(String name, List<String> values) throws IOException {
        Path file = Files.writeString(directory.resolve(name + ".yaml"), Helm.rendered(values));
        Path printed = directory.resolve(name + ".log");
        ChildProcess.run(
                List.of(
                        Tools.built("kubectl").toString(),
                        "--kubeconfig=" + plane.kubeconfig(),
                        "apply",
                        "--server-side",
                        "--force-conflicts",
                        "--dry-run=server",
                        "--validate=strict",
                        "--filename=" + file),
                Map.of("HOME", directory.toString()),
                printed,
                DEADLINE);
        assertThat(Files.readAllLines(printed))
                .hasSameSizeAs(Helm.objects(values))
                .allSatisfy(line -> assertThat(line).endsWith("serverside-applied (server dry run)"));
    }

    @Test
    void allButTheNodeServiceRunWithoutPrivileges() {
        List<HasMetadata> objects = Helm.objects(Helm.set());
        List<PodTemplateSpec> templates = Stream.concat(
                        objects.stream()
                                .filter(Deployment.class::isInstance)
                                .map(object -> ((Deployment) object).getSpec().getTemplate()),
                        objects.stream()
                                .filter(Job.class::isInstance)
                                .map(object -> ((Job) object).getSpec().getTemplate()))
                .toList();
        assertThat(templates).hasSize(3).allSatisfy(template -> {
            Pod pod = plane.client()
                    .resource(new PodBuilder()
                            .withNewMetadata()
                            .withName("any")
                            .withNamespace(RESTRICTED)
                            .endMetadata()
                            .withSpec(template.getSpec())
                            .editSpec()
                            // Its number would have to be known, too, which a controller that does not run here makes.
                            .withPriorityClassName(null)
                            .endSpec()
                            .build())
                    .dryRun()
                    .create();
            assertThat(pod.getMetadata().getUid()).isNotEmpty();
        });
    }

    @Test
    void theNotesNameValuesWithoutEffect() {
        Helm.Result notes = Helm.run(
                "install",
                "s3-csi",
                Helm.CHART.toString(),
                "--dry-run=server",
                // Some of it is there before every test.
                "--take-ownership",
                "--kubeconfig=" + plane.kubeconfig(),
                "--values",
                ValuesTest.OF_2_2.toString());
        assertThat(notes.isDone()).as(notes.printed()).isTrue();
        assertThat(notes.printed())
                .contains("mounts buckets of http://s3.example.com:8000")
                .contains(
                        "without effect here: initContainer, tls.initImage, tls.initResources, mountpointPod.headroomImage,"
                                + " node.podInfoOnMountCompat.");
    }
}
