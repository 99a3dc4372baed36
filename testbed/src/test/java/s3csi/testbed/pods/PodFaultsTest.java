package s3csi.testbed.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
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

    /** The old workload vanished without an end, so its Mountpoint Pod still serves the bucket that the volume had before. */
    @Test
    void aVolumeThatIsMadeAnewWithAnotherBucketShowsThatBucket() throws IOException {
        volume("v");
        Pod first = workload("first", "v");
        publish(first, "v");
        node.unpublish(first, name("v"));
        scenario.remove(first);
        String other = name("v") + "-other";
        witness.createBucket(request -> request.bucket(other));
        put(other, "greeting", other);
        remake(other);
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
        // Of the workload that vanished the cleaner finds out in some minutes.
        finish(second, "v");
    }

    /** Deletes claim and volume of this name, and makes them again for another bucket. */
    private void remake(String bucket) {
        plane.client()
                .persistentVolumeClaims()
                .inNamespace(scenario.name())
                .withName("v")
                .edit(claim -> {
                    claim.getMetadata().setFinalizers(List.of());
                    return claim;
                });
        plane.client()
                .persistentVolumeClaims()
                .inNamespace(scenario.name())
                .withName("v")
                .delete();
        plane.client().persistentVolumes().withName(name("v")).edit(volume -> {
            volume.getMetadata().setFinalizers(List.of());
            return volume;
        });
        plane.client().persistentVolumes().withName(name("v")).delete();
        await(
                "claim and volume are gone",
                () -> plane.client().persistentVolumes().withName(name("v")).get() == null
                        && plane.client()
                                        .persistentVolumeClaims()
                                        .inNamespace(scenario.name())
                                        .withName("v")
                                        .get()
                                == null);
        scenario.boundVolume("v", Driver.NAME, Map.of("bucketName", bucket));
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
