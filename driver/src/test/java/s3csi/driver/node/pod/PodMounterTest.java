package s3csi.driver.node.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import s3csi.driver.Eventually;
import s3csi.driver.node.Published;
import s3csi.driver.node.VolumeMount;
import s3csi.driver.node.kernel.Deadline;
import s3csi.driver.node.kernel.FakeMounts;
import s3csi.driver.node.kernel.Pulse;
import s3csi.driver.node.target.Target;
import s3csi.linux.DeviceNumber;
import s3csi.linux.Mounts.Unmount;
import s3csi.volume.CauseFaces;
import s3csi.volume.VolumeFailure;
import s3csi.volume.mount.MountMessage;

/** How a volume comes to a workload. */
@Timeout(60)
class PodMounterTest extends PodMounterStage {
    PodMounterTest(@TempDir Path scratch) throws IOException {
        super(scratch);
    }

    private static String word(Throwable failure) {
        assertThat(failure).isInstanceOf(VolumeFailure.class);
        return CauseFaces.word(((VolumeFailure) failure).reason());
    }

    @Test
    void theFirstTargetMountsAndTheNextIsOnlyBound() throws IOException {
        runPod("mp-1", "w-1", "w-2");
        publish("w-1", volume());
        publish("w-2", volume());
        assertThat(mounts.calls).containsExactly("mount mp-1 rw", "bind mount rw", "bind mount rw");
        assertThat(device(target("w-1").path())).isEqualTo(device(source("mp-1")));
        assertThat(mounts.openDescriptors()).isZero();
        assertThat(warned).hasSize(2);
    }

    @Test
    void anEngineOfThisReleaseIsToldAllThatItNeeds() throws IOException {
        runPod("mp-1", "w-1");
        publish("w-1", volume("allow-delete"));
        MountMessage message = pods.messages.getFirst();
        assertThat(message.bucketName()).isEqualTo("data");
        assertThat(message.args()).contains("--allow-delete", "--attribute-changes=ignore");
        assertThat(message.env())
                .contains(
                        "AWS_ENDPOINT_URL=http://s3",
                        "AWS_SHARED_CREDENTIALS_FILE=/comm/credentials/uid-of-mp-1-volume-1-s3-csi-credentials",
                        "S3CSI_UPLOAD_NOTES=/comm/uploads")
                .noneMatch(line -> line.contains("canary") || line.startsWith("AWS_CA_BUNDLE"));
        assertThat(keysOf("mp-1")).contains("canary-of-the-driver");
    }

    @Test
    void anEngineOfAnEarlierReleaseIsToldWhatItKnows() throws IOException {
        pods.start("mp-1");
        objects.put("mp-1", "", PodObjects.RUNNING);
        assign("mp-1", "w-1");
        publish("w-1", volume("allow-delete"));
        MountMessage message = pods.messages.getFirst();
        assertThat(message.args()).contains("--allow-delete").noneMatch(option -> option.contains("attribute-changes"));
        assertThat(message.env()).noneMatch(line -> line.startsWith("S3CSI"));
    }

    @Test
    void authoritiesAndTheSizeOfTheCacheAreThoseOfThePod() throws IOException {
        pods.start("mp-1");
        server.put(
                PodObjects.PODS,
                PodObjects.pod("mp-1", PodObjects.NO_SECRET, PodObjects.RUNNING)
                        .replace(
                                "\"spec\":{",
                                "\"spec\":{\"containers\":[{\"volumeMounts\":[{\"mountPath\":\"/etc/ssl/custom-ca\"}]}],"
                                        + "\"volumes\":[{\"name\":\"local-cache\",\"emptyDir\":{\"sizeLimit\":\"100Mi\"}}],"));
        assign("mp-1", "w-1");
        publish("w-1", volume());
        assertThat(pods.messages.getFirst().env()).contains("AWS_CA_BUNDLE=/etc/ssl/custom-ca");
        assertThat(pods.messages.getFirst().args()).contains("--max-cache-size=95");
    }

    @Test
    void aDeadSourceIsTakenAwayAndMountedAgain() throws IOException {
        runPod("mp-1", "w-1", "w-2");
        publish("w-1", volume());
        DeviceNumber dead = device(source("mp-1"));
        mounts.setPulse(dead, FakeMounts.DEAD);
        publish("w-2", volume());
        assertThat(device(source("mp-1"))).isNotEqualTo(dead);
        assertThat(device(target("w-2").path())).isEqualTo(device(source("mp-1")));
        assertThat(mounts.table())
                .filteredOn(entry -> entry.isAt(source("mp-1")))
                .hasSize(1);
        assertThat(pods.messages).hasSize(2);
    }

    @Test
    void aSilentSourceThatIsUsedIsLeftAlone() throws IOException {
        runPod("mp-1", "w-1", "w-2");
        publish("w-1", volume());
        DeviceNumber device = device(source("mp-1"));
        mounts.setPulse(device, new Pulse.Silent());
        assertThatThrownBy(() -> publish("w-2", volume()))
                .satisfies(failure -> assertThat(word(failure)).isEqualTo("engine-silent"));
        assertThat(device(source("mp-1"))).isEqualTo(device);
        mounts.setPulse(device, FakeMounts.ALIVE);
        publish("w-2", volume());
        assertThat(device(target("w-2").path())).isEqualTo(device);
    }

    @Test
    void aSilentSourceThatNobodyUsesIsMountedAgain() throws IOException {
        runPod("mp-1", "w-1");
        publish("w-1", volume());
        DeviceNumber device = device(source("mp-1"));
        mounts.unmount(target("w-1").path(), Unmount.PLAIN);
        mounts.setPulse(device, new Pulse.Silent());
        publish("w-1", volume());
        assertThat(device(source("mp-1"))).isNotEqualTo(device);
    }

    @Test
    void aPodWhoseDirectoryIsMissingIsNamedAndNothingIsMounted() {
        objects.run("mp-1");
        assign("mp-1", "w-1");
        assertThatThrownBy(() -> publish("w-1", volume()))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("mp-1")
                .hasMessageContaining("KUBELET_PATH");
        assertThat(source("mp-1")).doesNotExist();
        assertNothingIsLeft();
    }

    @Test
    void anEngineThatEndsBeforeItServesLeavesNothing() throws IOException, InterruptedException {
        Files.createDirectories(pods.comm("mp-1"));
        objects.run("mp-1");
        assign("mp-1", "w-1");
        Thread eviction = Thread.ofVirtual().start(() -> {
            Eventually.until("it is being mounted", () -> isMounted("mp-1"));
            objects.put("mp-1", PodObjects.NO_SECRET, "\"phase\":\"Failed\",\"reason\":\"Evicted\"");
        });
        assertThatThrownBy(() -> publish("w-1", volume()))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("Mountpoint Pod mp-1 does not run any more: Evicted");
        eviction.join();
        awaitEnd("mp-1");
        assertNothingIsLeft();
    }

    @Test
    void aTargetThatCannotBeBoundIsForgotten() throws IOException {
        runPod("mp-1", "w-1");
        mounts.refused = "bind";
        assertThatThrownBy(() -> publish("w-1", volume())).isInstanceOf(VolumeFailure.class);
        assertThat(notes("mp-1").resolve("targets")).isEmptyDirectory();
        assertThat(warned).isEmpty();
        mounts.refused = null;
        publish("w-1", volume());
        assertThat(pods.messages).hasSize(1);
    }

    @Test
    void aTargetThatKubeletDidNotMakeIsRefused() {
        Target target = new Target(Path.of(kubelet.pods(), "x"), Optional.empty());
        assertThatThrownBy(() -> mounter.mount(volume(), target, Deadline.after(LONG)))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("--mounter=process");
    }

    @Test
    void theNextDriverKnowsWhatWasPublished() throws IOException {
        runPod("mp-1", "w-1");
        VolumeMount mount = volume();
        publish("w-1", mount);
        restart();
        Published published =
                mounter.published(target("w-1"), device(target("w-1").path())).orElseThrow();
        assertThat(published.differenceTo(mount)).isEmpty();
        assertThat(published.readOnly()).contains(false);
        assertThat(mounter.published(target("w-1"), new DeviceNumber(0, 4711))).isEmpty();
    }
}
