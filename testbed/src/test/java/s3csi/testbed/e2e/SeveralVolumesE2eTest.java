package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Several pods with one volume, and several volumes in one pod. */
class SeveralVolumesE2eTest extends ClusterStage {
    @Test
    void podsThatStartAtOnceReadAndRunWhatTheOthersWrote() {
        claim(
                "shared",
                storageClass(
                        namespace, storageClass -> storageClass.withMountOptions("allow-overwrite", "allow-delete")));
        Pod first = runningWorkload("first", "shared");
        shell(first, "seq 1 50000 >/data/numbers && echo 'echo run by $1 >/data/by-$1' >/data/script.sh");
        String sum = shell(first, "sha256sum </data/numbers");

        List<Pod> others = Stream.of("second", "third", "fourth")
                .map(name -> workload(name, "shared"))
                .toList();
        others.forEach(this::awaitRunning);
        for (Pod pod : others) {
            String name = pod.getMetadata().getName();
            assertThat(shell(pod, "sha256sum </data/numbers")).as(name).isEqualTo(sum);
            shell(pod, "sh /data/script.sh " + name);
        }
        assertThat(shell(first, "cat /data/by-*")).isEqualTo("run by fourth\nrun by second\nrun by third");
        shell(first, "echo changed >/data/by-second");
        assertThat(shell(others.getFirst(), "cat /data/by-second")).isEqualTo("changed");
        assertThat(others)
                .extracting(pod -> client.resource(pod).get().getSpec().getNodeName())
                .containsOnly(client.resource(first).get().getSpec().getNodeName());
        shell(first, "rm /data/*");
    }

    @Test
    void volumesOfOnePodAreApartAndOutliveIt() {
        String bucket = bucket("static");
        staticVolume(bucket);
        PersistentVolumeClaim dynamic = claim("dynamic", storageClass());
        List<String> both = List.of(bucket, "dynamic");
        Pod pod = runningWorkload("app", both, spec -> spec);
        shell(
                pod,
                "echo static >/data/note && echo dynamic >/data2/note && mkdir /data2/folder && echo x >/data2/folder/x");
        assertThat(shell(pod, "ls /data /data2")).isEqualTo("/data:\ngreeting\nnote\n\n/data2:\nfolder\nnote");
        assertThat(stored(bucket, "note")).isEqualTo("static\n");
        assertThat(mountpointPod(bucket).getMetadata().getName())
                .isNotEqualTo(mountpointPod(boundVolume(dynamic).getMetadata().getName())
                        .getMetadata()
                        .getName());
        finish(pod);

        Pod again = runningWorkload("app", both, spec -> spec);
        assertThat(shell(again, "cat /data/note /data2/note /data2/folder/x")).isEqualTo("static\ndynamic\nx");
        shell(again, "rm -r /data2/note /data2/folder");
        assertThat(shell(again, "ls /data")).isEqualTo("greeting\nnote");
    }
}
