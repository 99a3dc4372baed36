package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import s3csi.kubernetes.MountpointPod;
import s3csi.s3.testing.process.Await;
import s3csi.testbed.cluster.ControlPlane;
import software.amazon.awssdk.core.sync.RequestBody;

/** Who shares a Mountpoint Pod, and how long it serves: until the last of its workloads has really ended. */
class SharingE2eTest extends ClusterStage {
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(5);

    @Test
    void onlyPodsOfOneGroupAndOneListOfOptionsShare() {
        String bucket = bucket("groups");
        staticVolume(bucket, bucket, "allow-delete");
        List<Pod> first = List.of(
                workload("a", List.of(bucket), spec -> ofGroup(spec, 2000)),
                workload("b", List.of(bucket), spec -> ofGroup(spec, 2000)),
                workload("c", List.of(bucket), spec -> ofGroup(spec, 3000)),
                workload("d", bucket));
        first.forEach(this::awaitRunning);
        client.persistentVolumes().withName(bucket).edit(volume -> {
            volume.getSpec().setMountOptions(List.of("allow-delete", "allow-overwrite"));
            return volume;
        });
        Pod edited = runningWorkload("e", bucket);
        assertThat(first.stream().map(pod -> serving(pod, bucket)))
                .as("a and b of one group, c of another, d of none")
                .satisfies(names -> assertThat(names.getFirst()).isEqualTo(names.get(1)))
                .doesNotContain(serving(edited, bucket));
        assertThat(cluster.mountpointPods(bucket)).hasSize(4);
        shell(first.getFirst(), "echo shared >/data/note");
        assertThat(shell(first.get(1), "cat /data/note")).isEqualTo("shared");
        assertThat(shell(first.get(2), "stat -c %g /data/note")).isEqualTo("3000");
        shell(edited, "echo replaced >/data/note");
        assertThat(stored(bucket, "note")).isEqualTo("replaced\n");
    }

    private static PodSpecBuilder ofGroup(PodSpecBuilder spec, long group) {
        return spec.withNewSecurityContext().withFsGroup(group).endSecurityContext();
    }

    private String serving(Pod workload, String volume) {
        return cluster.attachments(volume).stream()
                .flatMap(attachment -> attachment
                        .getSpec()
                        .mountpointPodOf(workload.getMetadata().getUid())
                        .stream())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void readersDoNotWriteWhereverTheirMountpointPodMay() {
        String bucket = bucket("readers");
        String forReaders = namespace + "-rox";
        staticVolume(bucket);
        staticVolume(forReaders, bucket, spec -> spec.withAccessModes("ReadOnlyMany"));
        Pod writer = runningWorkload("writer", bucket);
        Pod reader = runningWorkload(
                "reader",
                List.of(bucket, forReaders),
                spec -> spec.editMatchingVolume(volume -> bucket.equals(
                                volume.buildPersistentVolumeClaim().getClaimName()))
                        .editPersistentVolumeClaim()
                        .withReadOnly(true)
                        .endPersistentVolumeClaim()
                        .endVolume());
        shell(writer, "echo hello >/data/note");
        assertThat(mountpointPod(bucket)).as("the one that both share").isNotNull();
        assertThat(shell(reader, "cat /data/note /data2/note")).isEqualTo("hello\nhello");
        for (String directory : List.of("/data", "/data2")) {
            assertThat(shell(reader, "! touch %s/new 2>&1; ! rm %1$s/note 2>&1".formatted(directory))
                            .lines())
                    .as(directory)
                    .hasSize(2)
                    .allMatch(line -> line.contains("Read-only file system"));
        }
        shell(writer, "echo more >/data/more");
        assertThat(shell(reader, "cat /data2/more")).isEqualTo("more");
    }

    @Test
    void aSecondWorkloadIsServedThoughTheFirstEndsBeforeItEverRan() {
        String bucket = bucket("hasty");
        staticVolume(bucket);
        Pod first = workload("first", bucket);
        await(() -> "nobody is assigned", () -> !cluster.attachments(bucket).isEmpty());
        Pod second = workload("second", bucket);
        client.resource(first).withGracePeriod(0).delete();
        awaitRunning(second);
        assertThat(shell(second, "cat /data/greeting")).isEqualTo(bucket);
        await(
                () -> "the first workload is still attached: " + cluster.attachments(bucket),
                () -> cluster.attachments(bucket).stream()
                        .allMatch(attachment -> attachment
                                .getSpec()
                                .mountpointPodOf(first.getMetadata().getUid())
                                .isEmpty()));
        shell(second, "echo still >/data/note");
        assertThat(stored(bucket, "note")).isEqualTo("still\n");
    }

    @Test
    void aWorkloadThatTakesItsTimeToEndIsServedUntilItHasEnded() {
        String bucket = bucket("graceful");
        staticVolume(bucket);
        Pod leaving = runningWorkload("leaving", List.of(bucket), SharingE2eTest::endingWhenTold);
        String serving = serving(leaving, bucket);
        client.resource(leaving).delete();
        staysSo(() -> isServing(serving) && isThere(leaving));
        letGo(bucket);
        await(() -> "the workload does not end", () -> !isThere(leaving));
        assertThat(stored(bucket, "last")).as("what it wrote at its end").isEqualTo("words\n");
        await(() -> "the Mountpoint Pod is left", () -> !cluster.isMountpointPodThere(serving));
    }

    /** Drains and evictions tell a Mountpoint Pod to stop when they tell its workloads, or earlier. */
    @Test
    void aMountpointPodThatIsEvictedServesUntilItsWorkloadHasEnded() {
        String bucket = bucket("evicted");
        staticVolume(bucket);
        Pod workload = runningWorkload("app", List.of(bucket), SharingE2eTest::endingWhenTold);
        String serving = serving(workload, bucket);
        assertThat(client.pods()
                        .inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                        .withName(serving)
                        .evict())
                .isTrue();
        await(() -> "it is not told to end", () -> known(serving).isTerminating());
        staysSo(() -> isServing(serving)
                && shell(workload, "cat /data/greeting").equals(bucket)
                && shell(workload, "echo >$(mktemp -u /data/note-XXXXXX) && echo written")
                        .equals("written"));
        client.resource(workload).delete();
        letGo(bucket);
        await(() -> "the workload does not end", () -> !isThere(workload));
        assertThat(stored(bucket, "last")).isEqualTo("words\n");
        await(() -> "the Mountpoint Pod is left", () -> !cluster.isMountpointPodThere(serving));
    }

    /** Writes a file when it was told to end and an object says when. */
    private static PodSpecBuilder endingWhenTold(PodSpecBuilder spec) {
        return spec.withTerminationGracePeriodSeconds(120L)
                .editFirstContainer()
                .withCommand("sh", "-c", """
                        trap 'until [ -e /data/leave ]; do sleep 0.1; done; echo words >/data/last; exit 0' TERM
                        sleep infinity & wait
                        """)
                .endContainer();
    }

    private void letGo(String bucket) {
        witness.putObject(request -> request.bucket(bucket).key("leave"), RequestBody.empty());
    }

    private boolean isThere(Pod pod) {
        return client.resource(pod).get() != null;
    }

    private boolean isServing(String name) {
        return cluster.isMountpointPodThere(name) && !known(name).needsUnmount();
    }

    private MountpointPod known(String name) {
        return MountpointPod.of(client.pods()
                .inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                .withName(name)
                .require());
    }

    private static void staysSo(BooleanSupplier condition) {
        assertThatThrownBy(() -> Await.until(LONG_ENOUGH, () -> "it stays so", () -> !condition.getAsBoolean()))
                .hasMessage("it stays so");
    }
}
