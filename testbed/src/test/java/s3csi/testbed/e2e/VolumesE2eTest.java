package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Static and dynamic volumes: written, read, shared, deleted. */
class VolumesE2eTest extends ClusterStage {
    @Test
    void aPodReadsAndWritesABucketThatWasThereBefore() {
        String bucket = bucket("there");
        staticVolume(bucket);
        Pod pod = runningWorkload("app", bucket);
        assertThat(shell(pod, "cat /data/greeting")).isEqualTo(bucket);
        shell(pod, "echo from the pod >/data/note");
        assertThat(stored(bucket, "note")).isEqualTo("from the pod\n");
        shell(pod, "rm /data/greeting");
        assertThat(shell(pod, "ls /data")).isEqualTo("note");
    }

    @Test
    void aStaticVolumeKeepsItsBucketWhateverItsReclaimPolicy() {
        String bucket = bucket("kept");
        PersistentVolume volume =
                staticVolume(bucket, bucket, spec -> spec.withPersistentVolumeReclaimPolicy("Delete"));
        finish(runningWorkload("app", bucket));
        client.persistentVolumeClaims().inNamespace(namespace).withName(bucket).delete();
        await(() -> "the volume is not released", () -> {
            PersistentVolume now = client.resource(volume).get();
            return now == null || !"Bound".equals(now.getStatus().getPhase());
        });
        client.resource(volume).delete();
        await(() -> "the volume is not deleted", () -> client.resource(volume).get() == null);
        assertThat(stored(bucket, "greeting")).isEqualTo(bucket);
    }

    @Test
    void aClaimBecomesABucketAndItsEndTheEndOfTheBucket() {
        PersistentVolumeClaim claim = claim("dynamic", storageClass());
        Pod pod = runningWorkload("app", "dynamic");
        PersistentVolume volume = boundVolume(claim);
        String bucket = volume.getSpec().getCsi().getVolumeHandle();
        shell(pod, "echo kept here >/data/note");
        assertThat(stored(bucket, "note")).isEqualTo("kept here\n");
        shell(pod, "rm /data/note");
        finish(pod);
        client.resource(claim).delete();
        await(() -> "the volume is not deleted", () -> client.resource(volume).get() == null);
        assertThat(isBucketThere(bucket)).isFalse();
    }

    @Test
    void podsOfOneVolumeShareAMountpointPodThatOutlivesTheFirstOfThem() {
        String bucket = bucket("shared");
        staticVolume(bucket);
        Pod first = runningWorkload("first", List.of(bucket), VolumesE2eTest::onOneNode);
        Pod second = runningWorkload("second", List.of(bucket), VolumesE2eTest::onOneNode);
        List<String> serving = cluster.mountpointPods(bucket);
        assertThat(serving).hasSize(1);
        shell(first, "echo hello >/data/note");
        assertThat(shell(second, "cat /data/note")).isEqualTo("hello");
        finish(first);
        assertThat(shell(second, "cat /data/note")).isEqualTo("hello");
        assertThat(cluster.mountpointPods(bucket)).isEqualTo(serving);
        finish(second);
        await(() -> "the Mountpoint Pod is left", () -> !cluster.isMountpointPodThere(serving.getFirst()));
    }

    private static PodSpecBuilder onOneNode(PodSpecBuilder pod) {
        return pod.addToNodeSelector("kubernetes.io/hostname", "node1");
    }

    @Test
    void filesOutliveThePodsThatWroteThem() {
        claim("data", storageClass());
        Pod first = runningWorkload("first", "data");
        shell(first, "mkdir /data/folder && seq 1 100000 >/data/folder/numbers");
        String sum = shell(first, "sha256sum </data/folder/numbers");
        finish(first);
        Pod second = runningWorkload("second", "data");
        assertThat(shell(second, "sha256sum </data/folder/numbers")).isEqualTo(sum);
        shell(second, "rm -r /data/folder");
    }

    @Test
    void aCommandThatFailsInAPodFailsHere() {
        staticVolume(bucket("wrong"));
        Pod pod = runningWorkload("app", namespace + "-wrong");
        assertThatThrownBy(() -> shell(pod, "cat /data/absent"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("No such file or directory");
    }
}
