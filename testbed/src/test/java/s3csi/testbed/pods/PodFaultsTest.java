package s3csi.testbed.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.SelectableField;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import s3csi.kubernetes.PodAttachment;
import s3csi.linux.MountEntry;
import s3csi.linux.Mounts;
import s3csi.testbed.cluster.ControlPlane;
import s3csi.testbed.csi.Refusals;
import s3csi.volume.Driver;

/** What dies is repaired, and what cannot work says why in time. */
class PodFaultsTest extends PodsStage {
    /** As publish calls of kubelet, which are repeated; a mount that is about to die may be there a moment longer. */
    private Path publishUntilItWorks(Pod workload) {
        Path target = node.target(workload, name("v"));
        await("the volume is published and served", () -> {
            try {
                publish(workload, "v");
                return isListed(target);
            } catch (StatusRuntimeException notYet) {
                assertThat(notYet.getStatus().getCode()).isEqualTo(Code.UNAVAILABLE);
                return false;
            }
        });
        return target;
    }

    private static boolean isListed(Path target) {
        try (Stream<Path> files = Files.list(target)) {
            return files.count() >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void mountsOutliveTheDriverAndTheNextOneEndsThem() throws IOException {
        volume("v");
        Pod workload = workload("app", "v");
        Path target = publish(workload, "v");
        node.killAndStartAgain();
        assertThat(greeting(target)).isEqualTo(name("v"));
        publish(workload, "v");
        assertThat(node.mounts()).hasSize(2);
        finish(workload, "v");
        awaitNothingIsLeft();
    }

    @Test
    void anEngineThatDiesIsStartedAgainAndMountedByTheNextPublish() throws IOException {
        volume("v");
        Pod workload = workload("app", "v");
        publish(workload, "v");
        kubelet.crash(scenario.onlyMountpointPod());
        Path target = publishUntilItWorks(workload);
        assertThat(greeting(target)).isEqualTo(name("v"));
        assertThat(node.mounts()).hasSize(2);
        finish(workload, "v");
        awaitNothingIsLeft();
    }

    @Test
    void aMountpointPodThatIsRemovedIsReplaced() throws IOException {
        volume("v");
        Pod workload = workload("app", "v");
        publish(workload, "v");
        Pod first = scenario.onlyMountpointPod();
        scenario.remove(first);
        await("its engine has ended", () -> !kubelet.runs(first));
        await(
                "there is another",
                () -> scenario.mountpointPods().stream()
                        .anyMatch(pod -> !pod.getMetadata()
                                .getName()
                                .equals(first.getMetadata().getName())));
        Path target = publishUntilItWorks(workload);
        assertThat(greeting(target)).isEqualTo(name("v"));
        finish(workload, "v");
        awaitNothingIsLeft();
    }

    /** A drain tells workloads and Mountpoint Pods to end at the same time, and a workload may take its time. */
    @Test
    void aMountpointPodThatIsToldToEndServesUntilItsWorkloadHasEnded() throws IOException {
        volume("v");
        Pod workload = workload("app", "v");
        Path target = publish(workload, "v");
        scenario.becomes(workload, "Running");
        Pod evicted = scenario.onlyMountpointPod();
        scenario.delete(evicted);
        scenario.delete(workload);
        Pod late = workload("late", "v");
        publishUntilItWorks(late);
        assertThat(scenario.mountpointPods()).hasSize(2);
        Files.writeString(target.resolve("last"), "words");
        assertThat(stored(name("v"), "last")).isEqualTo("words");
        assertThat(kubelet.runs(evicted)).isTrue();
        assertThat(scenario.isServed(workload, late)).isTrue();
        finish(workload, "v");
        await("it ends with its workload", () -> !kubelet.runs(evicted));
        finish(late, "v");
        awaitNothingIsLeft();
    }

    /** As in a cluster whose definition of attachments is of a Kubernetes without such selection. */
    @Test
    void aClusterThatCannotSelectAttachmentsByTheirNodeIsServedToo() throws IOException {
        List<SelectableField> selectable = selectableFields(List.of());
        try {
            node.killAndStartAgain();
            volume("v");
            Pod workload = workload("app", "v");
            assertThat(greeting(publish(workload, "v"))).isEqualTo(name("v"));
            assertThat(node.driver().log()).contains("cannot select by spec.nodeName");
            finish(workload, "v");
            awaitNothingIsLeft();
        } finally {
            selectableFields(selectable);
        }
    }

    /** Says by which fields attachments can be selected from now on; by which until now. */
    private List<SelectableField> selectableFields(List<SelectableField> fields) {
        List<SelectableField> before = new ArrayList<>();
        plane.client()
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("mountpoints3podattachments.s3.csi.scality.com")
                .edit(definition -> {
                    CustomResourceDefinitionVersion version =
                            definition.getSpec().getVersions().getFirst();
                    before.addAll(version.getSelectableFields());
                    version.setSelectableFields(fields);
                    return definition;
                });
        await("the server has taken it", () -> isSelectable() != fields.isEmpty());
        return List.copyOf(before);
    }

    private boolean isSelectable() {
        try {
            plane.client()
                    .resources(PodAttachment.class)
                    .withField("spec.nodeName", "none")
                    .list();
            return true;
        } catch (KubernetesClientException e) {
            assertThat(e.getCode()).isEqualTo(400);
            return false;
        }
    }

    /** Mounts are gone, directories and notes are there, and all pods start again. */
    @Test
    void afterAReBootVolumesAreMountedAgain() throws IOException {
        volume("v");
        Pod workload = workload("app", "v");
        publish(workload, "v");
        node.driver().process().kill();
        for (MountEntry entry : node.mounts().reversed()) {
            Mounts.unmount(Path.of(entry.mountPoint()), Mounts.Unmount.DETACH);
        }
        kubelet.crashAll();
        node.killAndStartAgain();
        Path target = publishUntilItWorks(workload);
        assertThat(greeting(target)).isEqualTo(name("v"));
        finish(workload, "v");
        awaitNothingIsLeft();
    }

    /** Also where the only target left may not be written through. */
    @Test
    void aSourceThatAnAdministratorUnmountsIsThereAgainForTheNextWorkload() throws IOException {
        volume("v");
        Pod reader = workload("reader", "v");
        Path read = node.publish(node.request(reader, name("v"), name("v")).setReadonly(true));
        Path source = node.plugin()
                .resolve("mnt")
                .resolve(scenario.onlyMountpointPod().getMetadata().getName());
        Mounts.unmount(source, Mounts.Unmount.PLAIN);
        node.publish(node.request(reader, name("v"), name("v")).setReadonly(true));
        Pod writer = workload("writer", "v");
        Path written = publish(writer, "v");
        Files.writeString(written.resolve("x"), "y");
        assertThat(stored(name("v"), "x")).isEqualTo("y");
        assertThat(greeting(read)).isEqualTo(name("v"));
        assertThat(node.mounts()).hasSize(3);
        Mounts.unmount(source, Mounts.Unmount.PLAIN);
        finish(reader, "v");
        finish(writer, "v");
        awaitNothingIsLeft();
    }

    @Test
    void anImageThatCannotBePulledIsToldWithThePodsOwnWords() {
        volume("v");
        kubelet.pulls(false);
        Pod workload = workload("app", "v");
        long begin = System.nanoTime();
        assertThat(Refusals.refused(Code.UNAVAILABLE, () -> publish(workload, "v")))
                .contains("ErrImagePull: no such image")
                .contains("kubectl describe pod -n mount-s3 mp-");
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
        kubelet.pulls(true);
        publish(workload, "v");
        finish(workload, "v");
        awaitNothingIsLeft();
    }

    @Test
    void withoutAControllerTheFailureNamesIt() {
        volume("v");
        controller.close();
        Pod workload = workload("app", "v");
        assertThat(Refusals.refused(Code.UNAVAILABLE, () -> publish(workload, "v")))
                .contains("No Mountpoint Pod is assigned")
                .contains("kubectl logs -n kube-system deployment/s3-csi-controller");
        scenario.remove(workload);
    }

    @Test
    void withoutAnApiServerWhatIsMountedGoesOnAndWhatIsNotSaysWhy() throws IOException {
        volume("v");
        Pod workload = workload("app", "v");
        Pod other = workload("other", "v");
        Path target = publish(workload, "v");
        plane.killApiServer();
        try {
            assertThat(greeting(target)).isEqualTo(name("v"));
            publish(workload, "v");
            node.killAndStartAgain();
            publish(workload, "v");
            long begin = System.nanoTime();
            assertThat(Refusals.refused(Code.UNAVAILABLE, () -> publish(other, "v")))
                    .contains("API server")
                    .contains("cannot be reached");
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
        } finally {
            plane.restartApiServer();
        }
        publishUntilItWorks(other);
        finish(workload, "v");
        finish(other, "v");
        awaitNothingIsLeft();
    }

    /** What a store refuses is told with the engine's words, and nothing stays behind that a retry would trip over. */
    @Test
    void aBucketThatDoesNotExistIsToldAndMountsOnceItDoes() throws IOException {
        scenario.boundVolume("v");
        Pod workload = workload("app", "v");
        assertThat(Refusals.refused(Code.NOT_FOUND, () -> publish(workload, "v")))
                .contains("kubectl logs -n mount-s3 mp-");
        assertThat(node.mounts()).isEmpty();
        witness.createBucket(request -> request.bucket(name("v")));
        Path target = publishUntilItWorks(workload);
        Files.writeString(target.resolve("x"), "y");
        finish(workload, "v");
        awaitNothingIsLeft();
    }

    /** The old workload runs on, so its Mountpoint Pod still serves the bucket that the volume had before. */
    @Test
    void aVolumeThatIsMadeAnewWithAnotherBucketShowsThatBucket() throws IOException {
        volume("v");
        Pod first = workload("first", "v");
        publish(first, "v");
        scenario.becomes(first, "Running");
        String other = name("v") + "-other";
        witness.createBucket(request -> request.bucket(other));
        put(other, "greeting", other);
        scenario.removeVolume("v");
        scenario.boundVolume("v", Driver.NAME, Map.of("bucketName", other));
        Pod second = workload("second", "v");
        await("the other bucket is shown", () -> {
            try {
                return greeting(node.publish(node.request(second, name("v"), other)))
                        .equals(other);
            } catch (StatusRuntimeException notYet) {
                return false;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        Files.writeString(node.target(second, name("v")).resolve("written"), "here");
        assertThat(stored(other, "written")).isEqualTo("here");
        assertThat(greeting(node.target(first, name("v")))).isEqualTo(name("v"));
        finish(second, "v");
        finish(first, "v");
        awaitNothingIsLeft();
    }

    @Test
    void aStrangersPodInTheNamespaceIsLeftAlone() {
        Pod stranger = plane.client()
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                        .withName("of-another-" + scenario.name())
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName("elsewhere")
                        .addNewContainer()
                        .withName("main")
                        .withImage("none")
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
        scenario.becomes(stranger, "Failed");
        volume("v");
        Pod workload = workload("app", "v");
        publish(workload, "v");
        finish(workload, "v");
        awaitNothingIsLeft();
        assertThat(plane.client().resource(stranger).get()).isNotNull();
        scenario.remove(stranger);
    }
}
