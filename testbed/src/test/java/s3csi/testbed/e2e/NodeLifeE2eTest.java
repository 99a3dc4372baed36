package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import s3csi.s3.testing.process.Await;

/** What a node goes through in its life, and how much it carries. */
@Isolated("a node loses its power, and has many pods")
class NodeLifeE2eTest extends FaultStage {
    private static final int PODS = 10;
    private static final int VOLUMES_OF_A_POD = 5;

    /** On two cores half of it is spent by fifty programs that start. */
    private static final Duration ALL_RUN = Duration.ofMinutes(3);

    private final LiveNode node = LiveNode.of(cluster, 2);

    @Test
    void workloadsComeBackWithTheirVolumesWhenTheNodeHasLostItsPower() {
        String first = volume("first");
        String second = volume("second");
        Pod pod = runningWorkload("app", List.of(first, second), node::here);
        Pod other = runningWorkload("other", List.of(second), node::here);
        shell(pod, "echo kept >/data/note");
        node.restart();
        awaitRestart(node, pod, "main", 0);
        awaitRestart(node, other, "main", 0);
        assertThat(shell(pod, "cat /data/note /data/greeting /data2/greeting")).isEqualTo("kept\n" + first + second);
        shell(pod, "echo more >/data2/more");
        assertThat(shell(other, "cat /data/more")).isEqualTo("more");
        assertThat(stored(second, "more")).isEqualTo("more\n");
        List<String> serving = new ArrayList<>(cluster.mountpointPods(first));
        serving.addAll(cluster.mountpointPods(second));
        assertThat(serving).hasSize(2);
        assertEndsCleanly(node, serving);
    }

    @Test
    void aNodeHasFiftyVolumes() {
        List<List<String>> claims = IntStream.range(0, PODS)
                .mapToObj(pod -> IntStream.range(0, VOLUMES_OF_A_POD)
                        .mapToObj(number -> volume("v" + pod + "-" + number))
                        .toList())
                .toList();
        long begin = System.nanoTime();
        List<Pod> pods = IntStream.range(0, PODS)
                .mapToObj(number -> workload("app" + number, claims.get(number), node::here))
                .toList();
        Await.until(
                ALL_RUN,
                () -> "of the pods only these run: " + running(),
                () -> running().size() == PODS);
        System.out.printf(
                "%d volumes were mounted in %d s%n",
                PODS * VOLUMES_OF_A_POD,
                Duration.ofNanos(System.nanoTime() - begin).toSeconds());
        for (int number = 0; number < PODS; number++) {
            assertThat(shell(
                            pods.get(number),
                            "cat /data/greeting /data2/greeting /data3/greeting /data4/greeting /data5/greeting"))
                    .isEqualTo(String.join("", claims.get(number)));
        }
        shell(pods.getFirst(), "echo from one of fifty >/data/note");
        assertThat(stored(claims.getFirst().getFirst(), "note")).isEqualTo("from one of fifty\n");
        // All at once, as when a node is drained.
        pods.forEach(pod -> client.resource(pod).delete());
        await(
                () -> "pods are left: " + running(),
                () -> client.pods().inNamespace(namespace).list().getItems().isEmpty());
    }

    private List<String> running() {
        return client.pods().inNamespace(namespace).list().getItems().stream()
                .filter(Readiness::isPodReady)
                .map(pod -> pod.getMetadata().getName())
                .toList();
    }
}
