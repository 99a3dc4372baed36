package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A node whose kubelet has its directory elsewhere, as some distributions do, and a driver that was told so. */
@Isolated("the driver is on one node only")
class KubeletPathE2eTest extends ClusterStage {
    private static final String PATH = "/var/lib/k0s/kubelet";

    private final LiveNode node = LiveNode.of(cluster, 2);
    private final Terminal terminal = new Terminal(cluster);

    @BeforeAll
    void move() {
        node.moveKubelet(PATH);
        terminal.run("""
                helm upgrade s3-csi chart --namespace kube-system --reuse-values --wait --timeout 3m \\
                    --set node.kubeletPath=%s --set-string 'node.nodeSelector.kubernetes\\.io/hostname=%s'
                """.formatted(PATH, node.name()));
    }

    @AfterAll
    void moveBack() {
        node.moveKubelet("/var/lib/kubelet");
        terminal.run("helm rollback s3-csi --namespace kube-system --wait --timeout 3m");
    }

    @Test
    void volumesAreMountedBelowIt() {
        String bucket = bucket("elsewhere");
        staticVolume(bucket);
        Pod pod = runningWorkload("app", List.of(bucket), node::here);
        String serving = cluster.mountpointPods(bucket).getFirst();
        assertThat(shell(pod, "cat /data/greeting")).isEqualTo(bucket);
        shell(pod, "echo written >/data/note");
        assertThat(stored(bucket, "note")).isEqualTo("written\n");
        assertThat(node.mounts(serving)).anyMatch(mount -> mount.contains(PATH + "/plugins/"));
        assertThat(node.mounts(PATH + "/pods/" + pod.getMetadata().getUid())).anyMatch(mount -> mount.contains(bucket));
        finish(pod);
        await(
                () -> "mounts are left: " + node.mounts(serving),
                () -> node.mounts(serving).isEmpty());
    }
}
