package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Whatever of the driver, or of kubelet, dies under live mounts: who has a mount keeps it, who comes gets one, and nothing is left at the end. */
@Isolated("the driver's programs and kubelet are restarted")
class PluginRestartE2eTest extends FaultStage {
    private static final String DRIVER = "s3-plugin";

    private final LiveNode node = LiveNode.of(cluster, 1);

    @Test
    void mountsOutliveTheDriverOfTheirNodeAndTheNextOneEndsThem() {
        String bucket = volume("live");
        Traffic traffic = Traffic.on(this, "busy", bucket);
        String serving = cluster.mountpointPods(bucket).getFirst();
        List<String> mounts = node.mounts(serving);

        Pod driver = driver();
        int restarts = node.status(driver, DRIVER).getRestartCount();
        node.kill(driver, DRIVER);
        awaitRestart(node, driver, DRIVER, restarts);
        traffic.assertGoesOn();

        client.resource(driver).delete();
        await(
                () -> "no other driver comes",
                () -> node.driverPods().stream()
                        .anyMatch(pod -> !pod.getMetadata()
                                        .getUid()
                                        .equals(driver.getMetadata().getUid())
                                && Readiness.isPodReady(pod)));
        traffic.assertGoesOn();
        assertThat(node.mounts(serving)).isEqualTo(mounts);
        assertThat(shell(runningWorkload("late", bucket), "cat /data/greeting")).isEqualTo(bucket);
        assertThat(cluster.mountpointPods(bucket)).containsExactly(serving);
        assertEndsCleanly(node, List.of(serving));
    }

    @Test
    void aRestartedKubeletFindsTheMountsAsTheyWere() {
        String bucket = volume("kept");
        Traffic traffic = Traffic.on(this, "busy", bucket);
        String serving = cluster.mountpointPods(bucket).getFirst();
        List<String> mounts = node.mounts(serving);
        node.restartKubelet();
        assertThat(shell(runningWorkload("late", bucket), "cat /data/greeting")).isEqualTo(bucket);
        traffic.assertGoesOn();
        assertThat(node.mounts(serving)).isEqualTo(mounts);
        assertEndsCleanly(node, List.of(serving));
    }

    private Pod driver() {
        List<Pod> pods = node.driverPods();
        assertThat(pods).hasSize(1);
        return pods.getFirst();
    }
}
