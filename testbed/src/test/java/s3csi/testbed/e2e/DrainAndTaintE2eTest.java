package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSetBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSetSpec;
import io.fabric8.kubernetes.api.model.storage.CSINodeDriver;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import s3csi.volume.Driver;
import software.amazon.awssdk.services.s3.model.S3Object;

/** A node comes into use when its driver works, and can be emptied without losing a byte. */
@Isolated("a node is tainted and drained")
class DrainAndTaintE2eTest extends FaultStage {
    private static final String TAINT = Driver.NAME + "/agent-not-ready";
    private static final Duration A_WHILE = Duration.ofSeconds(5);

    /** What {@code seq 1 20000} prints. */
    private static final long PART = 108_894;

    /** Writes files until it is told to end, and then one more, for two seconds. */
    private static final String WRITER = """
            trap 'ending=yes' TERM
            part=0
            while [ -z "$ending" ]; do
                part=$((part + 1))
                seq 1 20000 >/data/part-$part || exit 1
                echo $part >/tmp/part
                usleep 50000
            done
            for turn in $(seq 1 20); do seq 1 20000 && usleep 100000; done >/data/last && echo $part >/data/end
            """;

    private final LiveNode first = LiveNode.of(cluster, 1);
    private final LiveNode second = LiveNode.of(cluster, 2);

    @Test
    void aNewNodeTakesNoWorkloadsBeforeItsDriverWorks() {
        String bucket = volume("tainted");
        DaemonSetSpec before = daemonSet(spec -> spec);
        try {
            // As if the node had come just now. Only its own driver goes: the other's pod stays as it is.
            daemonSet(spec -> {
                spec.getUpdateStrategy().setType("OnDelete");
                spec.getTemplate().getSpec().setNodeSelector(Map.of(LiveNode.LABEL, first.name()));
                return spec;
            });
            await(
                    () -> "the node still has a driver",
                    () -> second.driverPods().isEmpty() && !isDriverKnown(second.name()));
            taint();
            Pod pod = workload("app", List.of(bucket), second::here);
            await(
                    () -> "the taint keeps nobody away: " + cluster.story(namespace, "app"),
                    () -> cluster.story(namespace, "app").contains("untolerated taint"));
            assertStays(() ->
                    isTainted() && client.resource(pod).require().getSpec().getNodeName() == null);
            daemonSet(_ -> before);
            awaitDriverAndNoTaint();
            awaitRunning(pod);
            assertThat(shell(pod, "cat /data/greeting")).isEqualTo(bucket);
            finish(pod);

            taint();
            Pod driver = second.driverPods().getFirst();
            client.resource(driver).delete();
            await(
                    () -> "the driver's pod stays",
                    () -> second.driverPods().stream()
                            .noneMatch(other -> other.getMetadata()
                                    .getUid()
                                    .equals(driver.getMetadata().getUid())));
            awaitDriverAndNoTaint();
        } finally {
            daemonSet(_ -> before);
            untaint();
        }
    }

    /** The Mountpoint Pod is evicted together with the writer, and serves it to its end. */
    @Test
    void aNodeIsDrainedWhileAWorkloadWrites() {
        Terminal terminal = new Terminal(cluster);
        // A controller that is evicted, too, has not seen the workload go, and leaves it to the cleaner, minutes later.
        terminal.run("""
                set -e
                kubectl cordon node2
                kubectl --namespace kube-system delete pods --selector app=s3-csi-controller --field-selector spec.nodeName=node2
                kubectl --namespace kube-system rollout status deployment/s3-csi-controller --timeout 90s
                kubectl uncordon node2
                """);
        String bucket = volume("drained");
        Pod writer = runningWorkload(
                "writer",
                List.of(bucket),
                pod -> second.here(pod)
                        .withTerminationGracePeriodSeconds(30L)
                        .editFirstContainer()
                        .withCommand("sh", "-c", WRITER)
                        .endContainer());
        await(
                () -> "the writer does not write",
                () -> Integer.parseInt(shell(writer, "cat /tmp/part 2>/dev/null || echo 0")) > 5);
        String serving = cluster.mountpointPods(bucket).getFirst();
        try {
            terminal.run("kubectl drain node2 --ignore-daemonsets --delete-emptydir-data --force --timeout 90s");
            assertThat(client.resource(writer).get()).isNull();
            assertThat(cluster.isMountpointPodThere(serving)).isFalse();
            int parts = Integer.parseInt(stored(bucket, "end").strip());
            Map<String, Long> sizes = witness.listObjectsV2(request -> request.bucket(bucket)).contents().stream()
                    .collect(Collectors.toMap(S3Object::key, S3Object::size));
            assertThat(sizes).containsEntry("last", 20 * PART);
            IntStream.rangeClosed(1, parts).forEach(part -> assertThat(sizes).containsEntry("part-" + part, PART));
            Pod next = runningWorkload("next", List.of(bucket), pod -> pod.withNodeSelector(Map.of()));
            assertThat(client.resource(next).require().getSpec().getNodeName()).isEqualTo("node1");
            assertThat(shell(next, "cat /data/end")).isEqualTo(String.valueOf(parts));
        } finally {
            terminal.run("kubectl uncordon node2");
        }
    }

    /** Changes the driver's DaemonSet; what it was before. */
    private DaemonSetSpec daemonSet(UnaryOperator<DaemonSetSpec> change) {
        var daemonSets = client.apps().daemonSets().inNamespace("kube-system").withName("s3-csi-node");
        DaemonSetSpec before = daemonSets.require().getSpec();
        daemonSets.edit(set ->
                new DaemonSetBuilder(set).withSpec(change.apply(set.getSpec())).build());
        return before;
    }

    private void awaitDriverAndNoTaint() {
        await(
                () -> "no driver is ready on the node",
                () -> second.driverPods().stream().anyMatch(Readiness::isPodReady));
        await(() -> "kubelet does not know the driver", () -> isDriverKnown(second.name()));
        await(() -> "the driver does not remove the taint", () -> !isTainted());
    }

    private boolean isDriverKnown(String node) {
        List<CSINodeDriver> drivers = client.storage()
                .v1()
                .csiNodes()
                .withName(node)
                .require()
                .getSpec()
                .getDrivers();
        return drivers != null
                && drivers.stream().anyMatch(driver -> driver.getName().equals(Driver.NAME));
    }

    private void taint() {
        client.nodes()
                .withName(second.name())
                .edit(node -> new NodeBuilder(node)
                        .editSpec()
                        .addToTaints(new TaintBuilder()
                                .withKey(TAINT)
                                .withEffect("NoExecute")
                                .build())
                        .endSpec()
                        .build());
    }

    private void untaint() {
        client.nodes()
                .withName(second.name())
                .edit(node -> new NodeBuilder(node)
                        .editSpec()
                        .removeMatchingFromTaints(taint -> taint.getKey().equals(TAINT))
                        .endSpec()
                        .build());
    }

    private boolean isTainted() {
        return client.nodes().withName(second.name()).require().getSpec().getTaints().stream()
                .anyMatch(taint -> taint.getKey().equals(TAINT));
    }

    private static void assertStays(BooleanSupplier condition) {
        long end = System.nanoTime() + A_WHILE.toNanos();
        while (System.nanoTime() - end < 0) {
            assertThat(condition.getAsBoolean()).isTrue();
        }
    }
}
