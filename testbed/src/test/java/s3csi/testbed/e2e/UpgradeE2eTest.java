package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Releases come and go under workloads that read and write, and none of them notices. */
@Isolated("the release is replaced")
class UpgradeE2eTest extends FaultStage {
    private static final Pattern REVISION = Pattern.compile("\"revision\":\"?(\\d+)");
    private static final String IMAGE = "docker.io/scality/s3-csi-driver";
    private static final String OLD = "testbed/src/test/resources/s3csi/testbed/e2e/objects-of-2.2";
    private static final String OLD_VALUES = "testbed/src/test/resources/s3csi/testbed/chart/values-of-2.2.yaml";

    private final List<LiveNode> nodes = List.of(LiveNode.of(cluster, 1), LiveNode.of(cluster, 2));
    private final Terminal terminal = new Terminal(cluster);
    private String installed = "";

    @BeforeEach
    void noteRevision() {
        installed = REVISION.matcher(
                        terminal.run("helm list --namespace kube-system --filter '^s3-csi$' --output json"))
                .results()
                .map((MatchResult found) -> found.group(1))
                .findFirst()
                .orElseThrow();
    }

    /** Also after a test that failed in its middle. */
    @AfterEach
    void bringBack() {
        rollBack();
    }

    @Test
    void toTheNextReleaseAndBack() {
        String bucket = volume("steady");
        List<Traffic> traffic = nodes.stream()
                .map(node -> Traffic.on(this, "on-" + node.name(), bucket, node::here))
                .toList();
        List<String> serving = cluster.mountpointPods(bucket);
        // Another release has another image.
        nodes.forEach(node -> node.tagImage(IMAGE, "next"));
        terminal.run("""
                set -e
                next=$(mktemp -d)
                trap 'rm -r "$next"' EXIT
                cp -r chart/. "$next"
                sed -i 's/^version: .*/version: 99.0.0/' "$next/Chart.yaml"
                helm upgrade s3-csi "$next" --namespace kube-system --reuse-values --set image.tag=next --wait --timeout 3m
                """);
        assertThat(images(nodes.getFirst().driverPods())).containsExactly("scality/s3-csi-driver:next");
        traffic.forEach(Traffic::assertGoesOn);
        String made = volume("made-by-the-next");
        Pod pod = runningWorkload("app", made);
        assertThat(images(cluster.mountpointPods(made).stream()
                        .map(this::mountpointPodNamed)
                        .toList()))
                .containsExactly("scality/s3-csi-driver:next");

        rollBack();
        assertThat(images(nodes.getFirst().driverPods())).doesNotContain("scality/s3-csi-driver:next");
        traffic.forEach(Traffic::assertGoesOn);
        assertThat(cluster.mountpointPods(bucket)).isEqualTo(serving);
        assertThat(shell(pod, "cat /data/greeting")).isEqualTo(made);
        assertThat(shell(runningWorkload("late", bucket), "cat /data/greeting")).isEqualTo(bucket);
    }

    /** By the chart, with the values that a user of 2.2 has; what no upgrade can change has to be the same in both. */
    @Test
    void fromTheObjectsOfRelease22() {
        String bucket = volume("steady");
        Traffic traffic = Traffic.on(this, "busy", bucket);
        terminal.run("""
                set -e
                kubectl replace -f %1$s/crds
                helm upgrade s3-csi %1$s --namespace kube-system --wait --timeout 3m
                """.formatted(OLD));
        // A pod that is replaced may take a moment to go.
        await(
                () -> "the programs of 3.0 still run",
                () -> images(nodes.getFirst().driverPods()).equals(List.of("busybox:test")));
        traffic.assertGoesOn();
        terminal.run("""
                helm upgrade s3-csi chart --namespace kube-system --values %s --set "s3.endpointUrl=$S3_ENDPOINT" --wait --timeout 3m
                """.formatted(OLD_VALUES));
        traffic.assertGoesOn();
        // Helm itself leaves a definition as it is.
        assertThat(terminal.run("kubectl explain s3pa")).contains("Which Mountpoint Pods serve which workloads");
        assertThat(shell(runningWorkload("late", bucket), "cat /data/greeting")).isEqualTo(bucket);
        claim("dynamic", storageClass());
        Pod dynamic = runningWorkload("dynamic", "dynamic");
        shell(dynamic, "echo hello >/data/note && rm /data/note");
        traffic.assertGoesOn();
    }

    private void rollBack() {
        terminal.run("helm rollback s3-csi %s --namespace kube-system --wait --timeout 3m".formatted(installed));
    }

    private static List<String> images(List<Pod> pods) {
        return pods.stream()
                .flatMap(pod -> pod.getSpec().getContainers().stream())
                .map(container -> container.getImage())
                .distinct()
                .toList();
    }
}
