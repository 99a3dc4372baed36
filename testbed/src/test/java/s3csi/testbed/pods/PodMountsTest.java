package s3csi.testbed.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.storage.CSINodeBuilder;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import s3csi.csi.v1.VolumeCapability;
import s3csi.csi.v1.VolumeCapability.AccessMode;
import s3csi.csi.v1.VolumeCapability.MountVolume;
import s3csi.linux.FuseConnection;
import s3csi.testbed.cluster.Scenario;
import s3csi.testbed.csi.Refusals;

/** Volumes that get to workloads by Mountpoint Pods, and away again. */
class PodMountsTest extends PodsStage {
    @Test
    void aWorkloadReadsAndWritesItsBucketAndNothingIsLeftOfIt() throws IOException {
        String bucket = volume("v");
        Pod workload = workload("app", "v");
        Path target = publish(workload, "v");
        assertThat(greeting(target)).isEqualTo(bucket);
        assertThat(Path.of("/sys/class/bdi", node.mounts().getFirst().device().toString(), "read_ahead_kb"))
                .as("what only root can raise")
                .hasContent(Integer.toString(FuseConnection.LARGE_READ_AHEAD_KIB));
        Files.writeString(target.resolve("note"), "from the pod");
        assertThat(stored(bucket, "note")).isEqualTo("from the pod");
        assertThat(scenario.isServed(workload)).isTrue();
        finish(workload, "v");
        awaitNothingIsLeft();
    }

    @Test
    void workloadsOfOneVolumeShareOneMountpointPod() throws IOException {
        String bucket = volume("v");
        Pod first = workload("first", "v");
        Pod second = workload("second", "v");
        Path one = publish(first, "v");
        Path other = publish(second, "v");
        assertThat(scenario.mountpointPods()).hasSize(1);
        assertThat(node.mounts())
                .hasSize(3)
                .extracting(entry -> entry.device())
                .containsOnly(node.mounts().getFirst().device());
        Files.writeString(one.resolve("shared"), "by both");
        assertThat(other.resolve("shared")).hasContent("by both");
        finish(first, "v");
        await("the first is forgotten", () -> scenario.isServed(second));
        assertThat(greeting(other)).isEqualTo(bucket);
        finish(second, "v");
        awaitNothingIsLeft();
    }

    @Test
    void anotherGroupHasAMountpointPodOfItsOwn() throws IOException {
        volume("v");
        Pod plain = workload("plain", "v");
        Pod grouped = scenario.workload("grouped", Optional.of("n"), Optional.of(4242L), Scenario.volumesOf("v"));
        publish(plain, "v");
        Path target = node.publish(node.request(grouped, name("v"), name("v"))
                .setVolumeCapability(VolumeCapability.newBuilder()
                        .setMount(MountVolume.newBuilder().setVolumeMountGroup("4242"))
                        .setAccessMode(AccessMode.newBuilder().setMode(AccessMode.Mode.MULTI_NODE_MULTI_WRITER))));
        assertThat(scenario.mountpointPods()).hasSize(2);
        assertThat(Files.getAttribute(target.resolve("greeting"), "unix:gid")).isEqualTo(4242);
        finish(plain, "v");
        finish(grouped, "v");
        awaitNothingIsLeft();
    }

    @Test
    void manyAtOnceGetOneMount() throws Exception {
        volume("v");
        List<Pod> workloads =
                IntStream.range(0, 100).mapToObj(i -> workload("app-" + i, "v")).toList();
        await("all are assigned", () -> scenario.isServed(workloads.toArray(Pod[]::new)));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Path>> targets = threads.invokeAll(workloads.stream()
                    .map(workload -> (Callable<Path>) () -> publish(workload, "v"))
                    .toList());
            for (Future<Path> target : targets) {
                assertThat(greeting(target.get())).isEqualTo(name("v"));
            }
        }
        assertThat(node.mounts()).hasSize(101);
        workloads.forEach(workload -> finish(workload, "v"));
        awaitNothingIsLeft();
    }

    /** Kubelet repeats every publish about once a minute. */
    @Test
    void publishingAgainChangesNothing() {
        volume("v");
        Pod workload = workload("app", "v");
        for (int i = 0; i < 5; i++) {
            publish(workload, "v");
        }
        assertThat(node.mounts()).hasSize(2);
        finish(workload, "v");
        awaitNothingIsLeft();
    }

    /** A pod that is deleted before its volume was ever mounted leaves a Mountpoint Pod that waits. */
    @Test
    void aMountpointPodThatIsNotNeededAnyMoreEndsWithoutAMount() {
        volume("v");
        Pod workload = workload("app", "v");
        await(
                "the Mountpoint Pod runs",
                () -> scenario.mountpointPods().stream()
                        .anyMatch(pod -> "Running".equals(pod.getStatus().getPhase())));
        scenario.delete(workload);
        await("it is released", () -> scenario.attachments().isEmpty());
        scenario.remove(workload);
        awaitNothingIsLeft();
    }

    @Test
    void aTargetThatKubeletDidNotMakeIsRefused() {
        volume("v");
        Pod workload = workload("app", "v");
        assertThat(Refusals.refused(
                        Code.INVALID_ARGUMENT,
                        () -> node.publish(node.request(workload, name("v"), name("v"))
                                .setTargetPath(
                                        node.kubelet().resolve("pods/elsewhere").toString()))))
                .contains("is not a path that kubelet makes");
        scenario.becomes(workload, "Succeeded");
        awaitNothingIsLeft();
    }

    @Test
    void aVolumeForReadersIsReadOnlyAlsoWhereItsMountpointPodMayWrite() throws IOException {
        volume("v");
        Pod writer = workload("writer", "v");
        Pod reader = workload("reader", "v");
        publish(writer, "v");
        Path target = node.publish(node.request(reader, name("v"), name("v")).setReadonly(true));
        assertThat(greeting(target)).isEqualTo(name("v"));
        assertThatThrownBy(() -> Files.writeString(target.resolve("x"), "x")).hasMessageContaining("Read-only");
        assertThat(scenario.mountpointPods()).hasSize(1);
        finish(writer, "v");
        finish(reader, "v");
        awaitNothingIsLeft();
    }

    @Test
    void anOptionThatDoesNotTakeEffectIsToldToTheWorkload() {
        volume("v");
        Pod workload = workload("app", "v");
        node.publish(node.request(workload, name("v"), name("v"))
                .setVolumeCapability(VolumeCapability.newBuilder()
                        .setMount(MountVolume.newBuilder().addMountFlags("profile other"))
                        .setAccessMode(AccessMode.newBuilder().setMode(AccessMode.Mode.MULTI_NODE_MULTI_WRITER))));
        await(
                "the Event is there",
                () -> scenario.eventsAbout(workload).stream()
                        .anyMatch(event -> event.getReason().equals("MountOptionIgnored")
                                && event.getMessage().contains("--profile is ignored")));
        finish(workload, "v");
        awaitNothingIsLeft();
    }

    /** Administrators put it on new nodes, so that no workload comes before its volumes can be mounted. */
    @Test
    void theStartUpTaintGoesAsSoonAsKubeletKnowsTheDriver() {
        String name = scenario.node("n");
        plane.client()
                .resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .addNewTaint("NoExecute", "s3.csi.scality.com/agent-not-ready", null, null)
                        .addNewTaint("NoSchedule", "of-another", null, "x")
                        .endSpec()
                        .build())
                .create();
        plane.client()
                .resource(new CSINodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .addNewDriver()
                        .withName("s3.csi.scality.com")
                        .withNodeID(name)
                        .endDriver()
                        .endSpec()
                        .build())
                .create();
        await("the taint goes", () -> !taints().contains("s3.csi.scality.com/agent-not-ready"));
        assertThat(taints()).contains("of-another");
    }

    private List<String> taints() {
        return plane.client().nodes().withName(scenario.node("n")).get().getSpec().getTaints().stream()
                .map(Taint::getKey)
                .toList();
    }
}
