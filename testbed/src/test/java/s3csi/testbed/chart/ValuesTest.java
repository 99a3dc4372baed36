package s3csi.testbed.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which values the chart takes, which it refuses and in which words, and what comes of those that users ask about most. */
@Tag("chart")
class ValuesTest {
    static final Path OF_2_2 = Path.of("src", "test", "resources", "s3csi", "testbed", "chart", "values-of-2.2.yaml");

    @Test
    void theChartPassesHelmsOwnLook() {
        Helm.Result lint = Helm.run("lint", "--strict", Helm.CHART.toString(), "--set", Helm.ENDPOINT);
        assertThat(lint.isDone()).as(lint.printed()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    s3.endpointUrl=                              | s3.endpointUrl is required
                    s3.endpointUrl=store.example:9000            | must be http:// or https://
                    s3.endpointUrl=ftp://store.example           | must be http:// or https://
                    s3.endpointUrl=http://key:word@store.example | must be http:// or https://
                    node.s3EndpointUrl=store                     | node.s3EndpointUrl must be
                    image.repository=registry.example/scality/mountpoint-s3-csi-driver | take image.* out of your values
                    image.repository=mountpoint-s3-csi-driver    | take image.* out of your values
                    image.tag=2.2.0                              | take image.* out of your values
                    image.tag=v1.2.0                             | take image.* out of your values
                    image.pullPolicy=Sometimes                   | pullPolicy
                    experimental.reserveHeadroomForMountpointPods=true | is not there yet
                    tls.caCertData=-----BEGIN CERTIFICATE-----   | needs tls.caCertConfigMap
                    tls.caCertConfigMap=a,tls.caCertData=nonsense | has no certificate in it
                    tls.caCertConfigMap=a,tls.caCertData=-----BEGIN CERTIFICATE----- -----BEGIN PRIVATE KEY----- | has a private key in it
                    metrics.serviceMonitor.enabled=true,metrics.podMonitor.enabled=true | enable one of them
                    metrics.serviceMonitor.interval=soon         | interval
                    mountpointPod.headroomPriorityClassName=mount-s3-critical | three different names
                    mountpointPod.namespace=Mounts               | namespace
                    node.serviceAccount.name=                    | node/serviceAccount/name
                    node.serviceAccount.name=s3-csi-driver-controller-sa | must be two accounts
                    controller.replicas=0                        | replicas
                    controller.replicas=many                     | replicas
                    node.kubeletPath=kubelet                     | kubeletPath
                    node.logLevel=loud                           | logLevel
                    node.tolerations=all                         | tolerations
                    node.resources.limit.memory=1Gi              | limit
                    networkPolicy.apiServerPorts={http}          | apiServerPorts
                    s3.endpoint=http://store.example             | endpoint
                    mountPod.namespace=other                     | mountPod
                    """)
    void whatCannotBeMeantIsRefused(String value, String words) {
        Helm.Result result = Helm.template(Helm.set(value));
        assertThat(result.isDone()).as(result.printed()).isFalse();
        assertThat(result.printed()).contains(words);
    }

    /** Helm would take the defaults of the other chart, image and all. */
    @Test
    void reusedValuesOfTheOtherChartAreRefusedInWords() {
        Helm.Result result = Helm.template(Stream.concat(
                        Helm.set("image.repository=scality/s3-csi-driver").stream(), Stream.of("--set", "hooks=null"))
                .toList());
        assertThat(result.isDone()).isFalse();
        assertThat(result.printed()).contains("--reset-then-reuse-values");
    }

    @Test
    void theValuesFileOf22IsTakenWithoutItsImage() {
        List<HasMetadata> objects = Helm.objects(List.of("--values", OF_2_2.toString()));
        Container plugin = container(nodes(objects), "s3-plugin");
        assertThat(plugin.getResources().getRequests().get("memory")).hasToString("40Mi");
        assertThat(environment(plugin)).containsEntry("AWS_ENDPOINT_URL", "http://s3.example.com:8000");
        Container registrar = container(nodes(objects), "node-driver-registrar");
        assertThat(registrar.getEnv()).extracting(EnvVar::getName).doesNotHaveDuplicates();
        assertThat(registrar.getVolumeMounts()).hasSize(2);
        assertThat(nodes(objects).getSpec().getTolerations()).hasSize(3);
    }

    /** As 2.x rendered them: values of a node win. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', emptyValue = "", textBlock = """
                    s3.endpointUrl=http://a:1                              | http://a:1 | us-east-1
                    s3.endpointUrl=http://a:1,s3.region=eu-1               | http://a:1 | eu-1
                    s3.endpointUrl=,node.s3EndpointUrl=http://b:1          | http://b:1 | us-east-1
                    s3.endpointUrl=,node.s3EndpointUrl=http://b:1,node.s3Region=eu-2 | http://b:1 | eu-2
                    s3.endpointUrl=http://a:1,node.s3EndpointUrl=http://b:1 | http://b:1 | us-east-1
                    s3.region=eu-1,node.s3Region=eu-2                      | http://store.example:9000 | eu-2
                    node.s3EndpointUrl=,node.s3Region=                     | http://store.example:9000 | us-east-1
                    """)
    void endpointAndRegionReachNodeAndController(String values, String endpoint, String region) {
        List<HasMetadata> objects = Helm.objects(Helm.set(values));
        for (Container driver :
                List.of(container(nodes(objects), "s3-plugin"), container(controller(objects), "s3-csi-controller"))) {
            assertThat(environment(driver))
                    .containsEntry("AWS_ENDPOINT_URL", endpoint)
                    .containsEntry("AWS_REGION", region);
        }
    }

    @Test
    void noKeyIsInAnEnvironmentOrArgument() {
        assertThat(Helm.rendered(Helm.set()))
                .doesNotContain("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "secretKeyRef");
    }

    @Test
    void whatMountpointPodsGetReachesTheReconcilerAsJson() {
        List<HasMetadata> objects = Helm.objects(Helm.set(
                "mountpointPod.podLabels.team=storage",
                "mountpointPod.imagePullSecrets={one,two}",
                "mountpointPod.resources.requests.memory=200Mi"));
        assertThat(environment(container(controller(objects), "s3-pod-reconciler")))
                .containsEntry("MOUNTPOINT_POD_LABELS", "{\"team\":\"storage\"}")
                .containsEntry("MOUNTPOINT_IMAGE_PULL_SECRETS", "[\"one\",\"two\"]")
                .containsEntry("MOUNTPOINT_RESOURCES", "{\"requests\":{\"cpu\":\"10m\",\"memory\":\"200Mi\"}}");
    }

    @Test
    void kubeletAsksTheDriverItself() {
        DaemonSet node = Helm.object(Helm.objects(Helm.set()), DaemonSet.class, "s3-csi-node");
        Container plugin = container(node.getSpec().getTemplate(), "s3-plugin");
        assertThat(plugin.getLivenessProbe().getHttpGet().getPath()).isEqualTo("/healthz");
        assertThat(plugin.getPorts()).singleElement().satisfies(port -> {
            assertThat(port.getName())
                    .isEqualTo(plugin.getLivenessProbe().getHttpGet().getPort().getStrVal());
            assertThat(port.getContainerPort()).isEqualTo(9808);
        });
        assertThat(container(node.getSpec().getTemplate(), "liveness-probe").getLivenessProbe())
                .isNull();
    }

    @Test
    void oneReplicaHasNoDisruptionBudgetAndTwoHave() {
        assertThat(Helm.objects(Helm.set())).noneMatch(PodDisruptionBudget.class::isInstance);
        assertThat(Helm.objects(Helm.set("controller.replicas=2"))).anyMatch(PodDisruptionBudget.class::isInstance);
    }

    @ParameterizedTest
    @CsvSource({
        "http://store.example,80",
        "https://store.example/,443",
        "https://store.example:8443/s3,8443",
        "http://[2001:db8::80]:9000,9000",
        "http://[2001:db8::80],80"
    })
    void mountpointPodsMayReachThePortOfTheStore(String endpoint, int port) {
        List<HasMetadata> objects = Helm.objects(Helm.set("networkPolicy.enabled=true", "s3.endpointUrl=" + endpoint));
        NetworkPolicy policy = Helm.object(objects, NetworkPolicy.class, "s3-csi-mountpoint-pods");
        assertThat(policy.getSpec().getEgress().get(1).getPorts())
                .singleElement()
                .satisfies(store -> assertThat(store.getPort().getIntVal()).isEqualTo(port));
    }

    @Test
    void servicesAreThereForMonitorsOnly() {
        assertThat(Helm.objects(Helm.set())).noneMatch(Service.class::isInstance);
        assertThat(Helm.objects(Helm.set("metrics.serviceMonitor.enabled=true")).stream()
                        .filter(Service.class::isInstance))
                .hasSize(2);
    }

    @Test
    void hooksRunWhereTheControllerRuns() {
        List<HasMetadata> objects = Helm.objects(RendersTest.everything());
        for (String name : List.of("s3-csi-apply-definition", "s3-csi-before-uninstall")) {
            PodTemplateSpec hook =
                    Helm.object(objects, Job.class, name).getSpec().getTemplate();
            PodTemplateSpec controller = controller(objects);
            assertThat(hook.getSpec().getTolerations())
                    .isEqualTo(controller.getSpec().getTolerations());
            assertThat(hook.getSpec().getNodeSelector())
                    .isEqualTo(controller.getSpec().getNodeSelector());
            assertThat(hook.getSpec().getAffinity())
                    .isEqualTo(controller.getSpec().getAffinity());
            assertThat(hook.getSpec().getContainers().getFirst().getImage())
                    .isEqualTo(controller.getSpec().getContainers().getFirst().getImage());
        }
    }

    private static PodTemplateSpec nodes(List<HasMetadata> objects) {
        return Helm.object(objects, DaemonSet.class, "s3-csi-node").getSpec().getTemplate();
    }

    private static PodTemplateSpec controller(List<HasMetadata> objects) {
        return Helm.object(objects, Deployment.class, "s3-csi-controller")
                .getSpec()
                .getTemplate();
    }

    private static Container container(PodTemplateSpec pod, String name) {
        return pod.getSpec().getContainers().stream()
                .filter(container -> container.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Map<String, String> environment(Container container) {
        return container.getEnv().stream()
                .filter(variable -> variable.getValue() != null)
                .collect(Collectors.toMap(EnvVar::getName, EnvVar::getValue));
    }
}
