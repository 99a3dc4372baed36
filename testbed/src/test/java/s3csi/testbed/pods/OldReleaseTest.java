package s3csi.testbed.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.grpc.StatusRuntimeException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import s3csi.csi.v1.VolumeCapability;
import s3csi.csi.v1.VolumeCapability.AccessMode;
import s3csi.csi.v1.VolumeCapability.MountVolume;
import s3csi.kubernetes.Annotations;
import s3csi.kubernetes.Labels;
import s3csi.kubernetes.PodAttachment;
import s3csi.kubernetes.PodAttachmentSpec;
import s3csi.kubernetes.SharingKey;
import s3csi.kubernetes.WorkloadAttachment;
import s3csi.linux.DirectoryTree;
import s3csi.linux.UnixStream;
import s3csi.s3.testing.process.Tools;
import s3csi.testbed.cluster.ControlPlane;
import s3csi.testbed.cluster.RunningController;
import s3csi.volume.mount.MountMessage;
import s3csi.volume.mount.Names;
import s3csi.volume.mount.Workload;

/** During an upgrade, nodes, controllers and Mountpoint Pods of 2.x and of this release meet. */
class OldReleaseTest extends PodsStage {
    /** What 2.x runs in its pods, on the engine of this release: the options and the message are what differs. */
    @Override
    List<String> mounter() {
        String classPath = Stream.of(OldMounter.class, UnixStream.class, MountMessage.class)
                .map(type ->
                        type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .collect(Collectors.joining(File.pathSeparator));
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath,
                OldMounter.class.getName(),
                Tools.program("mount-s3").toString());
    }

    /** A Mountpoint Pod and an attachment as a controller of 2.x makes them. */
    private Pod assignAs2x(Pod workload, Pod... others) {
        String name = Names.mountpointPod(new Workload(workload.getMetadata().getUid(), name("v")), 0);
        Pod pod = plane.client()
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                        .withName(name)
                        .addToLabels(Labels.DRIVER_VERSION, "2.1.1")
                        .addToLabels(Labels.POD_UID, workload.getMetadata().getUid())
                        .addToLabels(Labels.VOLUME_NAME, name("v"))
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName(scenario.node("n"))
                        .withRestartPolicy("OnFailure")
                        .addNewContainer()
                        .withName("mountpoint")
                        .withImage("2.x")
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
        PodAttachment attachment = new PodAttachment();
        attachment.getMetadata().setGenerateName("s3pa-");
        attachment.setSpec(new PodAttachmentSpec(
                new SharingKey(scenario.node("n"), name("v"), "handle-of-" + name("v"), "allow-delete", ""),
                Map.of(
                        name,
                        Stream.concat(Stream.of(workload), Stream.of(others))
                                .map(served -> new WorkloadAttachment(
                                        served.getMetadata().getUid(), Instant.now()))
                                .toList())));
        plane.client().resource(attachment).create();
        return pod;
    }

    @Test
    void aMountpointPodOf2xServesWithTheOptionsThatItKnowsAndIsDrained() throws IOException {
        controller.close();
        volume("v");
        Pod workload = workload("app", "v");
        Pod pod = assignAs2x(workload);
        Path target = node.publish(node.request(workload, name("v"), name("v"))
                .setVolumeCapability(VolumeCapability.newBuilder()
                        .setMount(MountVolume.newBuilder()
                                .addMountFlags("allow-delete")
                                .addMountFlags("memory-target 256")
                                .addMountFlags("store-patience 5"))
                        .setAccessMode(AccessMode.newBuilder().setMode(AccessMode.Mode.MULTI_NODE_MULTI_WRITER))));
        assertThat(greeting(target)).isEqualTo(name("v"));
        Files.writeString(target.resolve("note"), "through 2.x");
        assertThat(stored(name("v"), "note")).isEqualTo("through 2.x");
        node.publish(node.request(workload, name("v"), name("v")));
        try (RunningController _ = RunningController.start(plane)) {
            finish(workload, "v");
            await("the pod of 2.x has ended", () -> plane.client().resource(pod).get() == null);
            await("its mount has, too", () -> node.mounts().isEmpty());
        }
    }

    /** The controller of this release tells more of the pods of 2.x than they say themselves; that makes them no others. */
    @Test
    void anEngineOf2xThatDiesUnderTheNewControllerIsMountedAgain() throws IOException {
        controller.close();
        volume("v");
        Pod workload = workload("app", "v");
        Pod pod = assignAs2x(workload);
        publish(workload, "v");
        try (RunningController _ = RunningController.start(plane)) {
            await(
                    "the controller has told of the Secret",
                    () -> plane.client()
                            .resource(pod)
                            .get()
                            .getMetadata()
                            .getAnnotations()
                            .containsKey(Annotations.NAMES_PUBLISH_SECRET));
            kubelet.crash(pod);
            await("it is mounted again", () -> {
                try {
                    return greeting(publish(workload, "v")).equals(name("v"));
                } catch (StatusRuntimeException notYet) {
                    return false;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            finish(workload, "v");
            await("the pod of 2.x has ended", () -> plane.client().resource(pod).get() == null);
        }
    }

    @Test
    void aSecondWorkloadJoinsAMountThatANodeOf2xMade() throws IOException {
        controller.close();
        volume("v");
        Pod first = workload("first", "v");
        Pod second = workload("second", "v");
        Pod pod = assignAs2x(first, second);
        publish(first, "v");
        DirectoryTree.remove(node.plugin().resolve("pods"));
        node.killAndStartAgain();
        assertThat(greeting(publish(second, "v"))).isEqualTo(name("v"));
        try (RunningController _ = RunningController.start(plane)) {
            finish(first, "v");
            finish(second, "v");
            await("the pod of 2.x has ended", () -> plane.client().resource(pod).get() == null);
        }
    }

    /** The node of 2.x notes nothing, and named the files of keys after workloads. */
    @Test
    void aMountThatANodeOf2xMadeIsKeptRefreshedAndEnded() throws IOException {
        controller.close();
        volume("v");
        Pod workload = workload("app", "v");
        Pod pod = assignAs2x(workload);
        Path target = publish(workload, "v");
        DirectoryTree.remove(node.plugin().resolve("pods"));
        node.killAndStartAgain();
        publish(workload, "v");
        assertThat(greeting(target)).isEqualTo(name("v"));
        assertThat(node.mounts()).hasSize(2);
        try (RunningController _ = RunningController.start(plane)) {
            finish(workload, "v");
            await("the pod of 2.x has ended", () -> plane.client().resource(pod).get() == null);
            await("its mount has, too", () -> node.mounts().isEmpty());
        }
    }
}
