package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeSpecBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import s3csi.s3.credentials.Credentials;

/** Whatever is wrong, a pod's Events soon say what to do; and once that is done, the next publish succeeds and is quick. */
@Isolated("publishes are timed, and the release and a node are changed for a while")
class BadInputE2eTest extends AccountsStage {
    private static final Duration TOLD_WITHIN = Duration.ofSeconds(30);
    private static final Duration MENDED_WITHIN = Duration.ofSeconds(5);
    private static final String MEMORY = "mountpointContainerResourcesRequestsMemory";

    private final Terminal terminal = new Terminal(cluster);

    @Test
    void keysSecretBucketAndRoomThatAreMissing() {
        String bucket = bucket("there");
        secret("wrong", new Credentials.Keys("nobody", "nothing"));
        volume("wrong-keys", bucket, secretRef("wrong"));
        volume("no-secret", bucket, secretRef("missing"));
        volume("no-bucket", namespace + "-later", spec -> spec);
        Pod wrongKeys = pod("wrong-keys");
        Pod noSecret = pod("no-secret");
        Pod noBucket = pod("no-bucket");
        awaitAdvice(wrongKeys, "check the key id", "InvalidAccessKeyId");
        awaitAdvice(noSecret, "secrets \"missing\" not found");
        awaitAdvice(noBucket, "create it or correct its name", "NoSuchBucket");

        long mended = System.currentTimeMillis();
        secret("wrong", cluster.driver());
        secret("missing", cluster.driver());
        bucket("later");
        for (Pod pod : List.of(wrongKeys, noSecret, noBucket)) {
            awaitRunning(pod);
            assertPublishedSoonAfter(mended, pod);
        }
    }

    /** What takes the room is an ordinary pod that goes. */
    @Test
    void aMountpointPodThatFindsNoRoom() {
        String bucket = bucket("there");
        String most = mostOfNode2();
        Pod filler = runningWorkload("filler", List.of(), spec -> requesting(spec, most));
        volume("large", bucket, attributes(bucket, most));
        Pod pod = pod("large", BadInputE2eTest::onNode2);
        awaitAdvice(pod, "Unschedulable", "Insufficient memory", "kubectl describe pod -n mount-s3");

        finish(filler);
        long mended = System.currentTimeMillis();
        awaitRunning(pod);
        assertPublishedSoonAfter(mended, pod);
    }

    @Test
    void aQuantityThatIsNone() {
        String bucket = bucket("there");
        volume("senseless", bucket, attributes(bucket, "lots"));
        Pod pod = pod("senseless");
        awaitAdvice(pod, MEMORY, "\"lots\" is no amount of a resource", "256Mi");
        finish(pod);

        volume("sensible", bucket, attributes(bucket, "200Mi"));
        awaitRunning(pod("sensible"));
    }

    @Test
    void anImageThatIsNotOnTheNode() {
        String bucket = bucket("there");
        volume("no-image", bucket, spec -> spec);
        terminal.run("S3CSI_HOME=$PWD launcher/step.sh remove_driver_image 2");
        Pod pod;
        try {
            pod = pod("no-image", BadInputE2eTest::onNode2);
            awaitAdvice(pod, "ErrImageNeverPull", "kubectl describe pod -n mount-s3");
        } finally {
            terminal.run("S3CSI_HOME=$PWD launcher/step.sh import_driver_image 2");
        }
        awaitRunning(pod);
    }

    @Test
    void anEndpointWhereNobodyListens() {
        String bucket = bucket("there");
        volume("before", bucket, spec -> spec);
        Pod before = pod("before");
        awaitRunning(before);
        volume("astray", bucket, spec -> spec);
        String nowhere = cluster.endpoint().toString().replaceFirst(":\\d+$", ":9");
        Pod pod;
        upgradeTo(nowhere);
        try {
            pod = pod("astray");
            awaitAdvice(pod, nowhere, "Connection refused", "check the endpoint and the network");
            assertThat(shell(before, "cat /data/greeting")).isEqualTo(bucket);
        } finally {
            upgradeTo(cluster.endpoint().toString());
        }
        long mended = System.currentTimeMillis();
        awaitRunning(pod);
        assertPublishedSoonAfter(mended, pod);
    }

    private void upgradeTo(String endpoint) {
        terminal.run("helm upgrade s3-csi chart --namespace kube-system --reuse-values --set s3.endpointUrl=" + endpoint
                + " --wait");
    }

    private void awaitAdvice(Pod pod, String... words) {
        awaitWords(TOLD_WITHIN, pod.getMetadata().getName(), words);
    }

    /** For the pod of the name. */
    private void volume(String pod, String bucket, UnaryOperator<PersistentVolumeSpecBuilder> changed) {
        staticVolume(volumeOf(pod), bucket, changed);
    }

    private String volumeOf(String pod) {
        return namespace + "-" + pod;
    }

    /** With its volume. */
    private Pod pod(String name) {
        return pod(name, spec -> spec);
    }

    private Pod pod(String name, UnaryOperator<PodSpecBuilder> changed) {
        return workload(name, List.of(volumeOf(name)), changed);
    }

    private UnaryOperator<PersistentVolumeSpecBuilder> secretRef(String secret) {
        return spec -> spec.editCsi()
                .addToVolumeAttributes("authenticationSource", "secret")
                .withNewNodePublishSecretRef()
                .withNamespace(namespace)
                .withName(secret)
                .endNodePublishSecretRef()
                .endCsi();
    }

    private static UnaryOperator<PersistentVolumeSpecBuilder> attributes(String bucket, String memory) {
        return spec -> spec.editCsi()
                .withVolumeAttributes(Map.of("bucketName", bucket, MEMORY, memory))
                .endCsi();
    }

    private static PodSpecBuilder onNode2(PodSpecBuilder pod) {
        return pod.addToNodeSelector("kubernetes.io/hostname", "node2");
    }

    /** More than half of its memory, but not all: the driver has some, too. */
    private String mostOfNode2() {
        Quantity all = client.nodes()
                .withName("node2")
                .get()
                .getStatus()
                .getAllocatable()
                .get("memory");
        return Long.toString(all.getNumericalAmount().longValue() / 100 * 55);
    }

    private static PodSpecBuilder requesting(PodSpecBuilder pod, String memory) {
        return onNode2(pod)
                .editFirstContainer()
                .withNewResources()
                .addToRequests("memory", new Quantity(memory))
                .endResources()
                .endContainer();
    }

    /** By the log of the node's driver. A call that began before counts from when the cause was gone. */
    private void assertPublishedSoonAfter(long mended, Pod pod) {
        String volume = volumeOf(pod.getMetadata().getName());
        Pattern served = Pattern.compile(
                "\"ts\":(\\d+).*\"method\":\"NodePublishVolume\",\"code\":\"OK\",\"ms\":\"(\\d+)\",\"request\":\"\\{volume_id: \\\\\"%s\\\\\""
                        .formatted(volume));
        String node = client.resource(pod).get().getSpec().getNodeName();
        Pod driver = client.pods().inNamespace("kube-system").withLabel("app", "s3-csi-node").list().getItems().stream()
                .filter(found -> node.equals(found.getSpec().getNodeName()))
                .findFirst()
                .orElseThrow();
        Matcher found = served.matcher(
                client.pods().resource(driver).inContainer("s3-plugin").getLog());
        assertThat(found.find()).as("a publish of %s in the log", volume).isTrue();
        long ended = Long.parseLong(found.group(1));
        long began = Math.max(mended, ended - Long.parseLong(found.group(2)));
        assertThat(Duration.ofMillis(ended - began)).as(volume).isLessThanOrEqualTo(MENDED_WITHIN);
    }
}
