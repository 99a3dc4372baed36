package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;
import s3csi.testbed.cluster.ControlPlane;

/** Two nodes: each serves its own workloads, whatever its volumes are called. */
class SecondNodeE2eTest extends FaultStage {
    private final LiveNode first = LiveNode.of(cluster, 1);
    private final LiveNode second = LiveNode.of(cluster, 2);

    @Test
    void aVolumeIsServedOnEveryNodeOnceAndNextToItsWorkloads() {
        String bucket = volume("both");
        Pod here = runningWorkload("here", List.of(bucket), first::here);
        Pod there = runningWorkload("there", List.of(bucket), second::here);
        runningWorkload("there-too", List.of(bucket), second::here);
        assertThat(client.pods().inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE).list().getItems().stream()
                        .filter(pod -> cluster.mountpointPods(bucket)
                                .contains(pod.getMetadata().getName()))
                        .map(pod -> pod.getSpec().getNodeName()))
                .containsExactlyInAnyOrder("node1", "node2");
        assertThat(cluster.attachments(bucket)).allSatisfy(attachment -> {
            int workloads = attachment.getSpec().nodeName().equals("node1") ? 1 : 2;
            assertThat(attachment.getSpec().mountpointS3PodAttachments().values())
                    .satisfiesExactly(served -> assertThat(served).hasSize(workloads));
        });
        shell(here, "echo from the other node >/data/note");
        assertThat(shell(there, "cat /data/note")).isEqualTo("from the other node");
        finish(here);
        assertThat(shell(there, "cat /data/note")).isEqualTo("from the other node");
        assertThat(cluster.attachments(bucket))
                .allSatisfy(attachment ->
                        assertThat(attachment.getSpec().nodeName()).isEqualTo("node2"));
    }

    /** As long as Kubernetes, S3 and CSI allow them to be: 253, 63 and 128 characters. */
    @Test
    void longNames() {
        String bucket = bucket("b".repeat(62 - namespace.length()));
        String volume = namespace + "-" + "v".repeat(252 - namespace.length());
        staticVolume(
                volume,
                bucket,
                spec -> spec.editCsi().withVolumeHandle("h".repeat(128)).endCsi());
        Pod pod = runningWorkload("w".repeat(63), List.of(volume), second::here);
        shell(pod, "echo long >/data/note");
        assertThat(stored(bucket, "note")).isEqualTo("long\n");
        finish(pod);
    }
}
