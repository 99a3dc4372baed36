package s3csi.testbed.e2e;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.util.List;
import s3csi.testbed.cluster.ControlPlane;

/** For tests that end programs, pods and nodes under volumes in use. */
abstract class FaultStage extends ClusterStage {
    /** A bucket with a greeting, and a volume and a claim of its name. */
    final String volume(String name) {
        String bucket = bucket(name);
        staticVolume(bucket);
        return bucket;
    }

    final Pod mountpointPodNamed(String name) {
        return client.pods()
                .inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                .withName(name)
                .require();
    }

    final boolean isReady(Pod pod) {
        return Readiness.isPodReady(client.resource(pod).require());
    }

    /** Waits until a container has been started again, and its pod is ready. */
    final void awaitRestart(LiveNode node, Pod pod, String container, int restarts) {
        await(
                () -> "%s of %s does not start again: %s"
                        .formatted(
                                container,
                                pod.getMetadata().getName(),
                                cluster.story(
                                        pod.getMetadata().getNamespace(),
                                        pod.getMetadata().getName())),
                () -> node.status(pod, container).getRestartCount() > restarts && isReady(pod));
    }

    /** Ends all workloads of the test; of what served them nothing stays, neither pods nor mounts on the node. */
    final void assertEndsCleanly(LiveNode node, List<String> mountpointPods) {
        client.pods().inNamespace(namespace).list().getItems().forEach(this::finish);
        for (String name : mountpointPods) {
            await(() -> "the Mountpoint Pod is left: " + name, () -> !cluster.isMountpointPodThere(name));
            await(
                    () -> "mounts are left: " + node.mounts(name),
                    () -> node.mounts(name).isEmpty());
        }
    }
}
