package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;
import s3csi.testbed.cluster.ControlPlane;

/** Mountpoint Pods that go under live workloads: told to end they serve to the last, dead ones are replaced, and nothing is left at the end. */
class MountpointPodLossE2eTest extends FaultStage {
    private static final String ENGINE = "mountpoint";

    private final LiveNode node = LiveNode.of(cluster, 1);

    /** Containers that run keep what they were given: the dead mount. The pod has the new one, for the next container. */
    @Test
    void anEngineThatIsKilledServesAgainAfterTheNextPublish() {
        String bucket = volume("killed");
        Pod pod = runningWorkload("early", bucket);
        shell(pod, "echo kept >/data/note");
        String serving = cluster.mountpointPods(bucket).getFirst();
        node.kill(mountpointPodNamed(serving), ENGINE);
        await(
                () -> "the mount does not die",
                () -> !shell(pod, "cat /data/note 2>&1 || true").equals("kept"));
        assertThatThrownBy(() -> shell(pod, "cat /data/note")).hasMessageContaining("not connected");

        assertThat(shell(runningWorkload("late", bucket), "cat /data/note")).isEqualTo("kept");
        assertStartsAgainWith(pod, "kept");
        assertThat(cluster.mountpointPods(bucket)).containsExactly(serving);
        assertEndsCleanly(node, List.of(serving));
    }

    @Test
    void aMountpointPodThatIsEvictedServesItsWorkloadToTheEnd() {
        String bucket = volume("evicted");
        Traffic traffic = Traffic.on(this, "busy", bucket);
        String first = cluster.mountpointPods(bucket).getFirst();
        assertThat(client.pods()
                        .inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                        .withName(first)
                        .evict())
                .isTrue();
        await(
                () -> "the Mountpoint Pod is not told to end",
                () -> mountpointPodNamed(first).getMetadata().getDeletionTimestamp() != null);
        Pod late = runningWorkload("late", bucket);
        assertThat(shell(late, "cat /data/greeting")).isEqualTo(bucket);
        traffic.assertGoesOn();
        List<String> both = cluster.mountpointPods(bucket);
        assertThat(both).hasSize(2).contains(first);
        finish(traffic.pod());
        await(() -> "the evicted Mountpoint Pod is left", () -> !cluster.isMountpointPodThere(first));
        assertThat(shell(late, "cat /data/greeting")).isEqualTo(bucket);
        assertEndsCleanly(node, both);
    }

    @Test
    void aMountpointPodThatIsDestroyedIsReplaced() {
        String bucket = volume("destroyed");
        Pod pod = runningWorkload("early", bucket);
        shell(pod, "echo kept >/data/note");
        String first = cluster.mountpointPods(bucket).getFirst();
        client.pods()
                .inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                .withName(first)
                .withGracePeriod(0)
                .delete();
        await(
                () -> "the controller makes no other Mountpoint Pod",
                () -> cluster.mountpointPods(bucket).stream().anyMatch(name -> !name.equals(first)));
        assertThat(shell(runningWorkload("late", bucket), "cat /data/note")).isEqualTo("kept");
        assertStartsAgainWith(pod, "kept");
        assertEndsCleanly(node, cluster.mountpointPods(bucket));
    }

    /** Once the volume is published again, the container of a workload ends, and the next one sees it. */
    private void assertStartsAgainWith(Pod pod, String note) {
        await(() -> "the volume is not published again", () -> node.isServed(pod));
        node.kill(pod, "main");
        awaitRestart(node, pod, "main", 0);
        assertThat(shell(pod, "cat /data/note")).isEqualTo(note);
    }
}
