package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Two controllers, of which the one that leads dies: workloads and claims that come meanwhile wait a moment, and nobody else notices. */
@Isolated("the controller is restarted")
class ControllerRestartE2eTest extends ClusterStage {
    private static final String NAMESPACE = "kube-system";
    private static final String CONTROLLER = "s3-csi-controller";
    private static final String RECONCILER = "s3-pod-reconciler";

    @BeforeAll
    void haveTwo() {
        replicas(2);
    }

    @AfterAll
    void haveOne() {
        replicas(1);
    }

    @Test
    void anotherControllerGoesOnWhereTheLeaderDied() {
        String bucket = bucket("live");
        staticVolume(bucket);
        Traffic traffic = Traffic.on(this, "busy", bucket);
        Pod leaving = runningWorkload("leaving", bucket);
        String leader = holder();
        kill(leader);

        PersistentVolumeClaim claim = claim("dynamic", storageClass());
        Pod dynamic = workload("dynamic", "dynamic");
        Pod late = workload("late", bucket);
        client.resource(leaving).delete();
        awaitRunning(late);
        awaitRunning(dynamic);
        assertThat(holder()).isNotEqualTo(leader);
        assertThat(shell(late, "cat /data/greeting")).isEqualTo(bucket);
        shell(dynamic, "echo hello >/data/note && rm /data/note");
        traffic.assertGoesOn();
        assertThat(cluster.mountpointPods(bucket)).hasSize(1);

        PersistentVolume volume = boundVolume(claim);
        finish(dynamic);
        client.resource(claim).delete();
        await(() -> "the volume is not deleted", () -> client.resource(volume).get() == null);
    }

    /** Whoever the lease of the controller names; its pod's name is before the underscore. */
    private String holder() {
        return client.leases()
                .inNamespace(NAMESPACE)
                .withName("scality-csi-controller")
                .require()
                .getSpec()
                .getHolderIdentity();
    }

    /** Without time to give the lease back. */
    private void kill(String holder) {
        Pod pod = client.pods()
                .inNamespace(NAMESPACE)
                .withName(holder.substring(0, holder.indexOf('_')))
                .require();
        String node = pod.getSpec().getNodeName();
        LiveNode.of(cluster, Integer.parseInt(node.substring("node".length()))).kill(pod, RECONCILER);
    }

    private void replicas(int count) {
        client.apps().deployments().inNamespace(NAMESPACE).withName(CONTROLLER).scale(count);
        await(() -> "there are not %d controllers that are ready: %s".formatted(count, controllers()), () -> {
            List<Pod> pods = controllers();
            return pods.size() == count && pods.stream().allMatch(Readiness::isPodReady);
        });
    }

    private List<Pod> controllers() {
        return client.pods()
                .inNamespace(NAMESPACE)
                .withLabel("app", CONTROLLER)
                .list()
                .getItems();
    }
}
