package s3csi.driver.node.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import s3csi.driver.Eventually;
import s3csi.driver.node.PublishReader.WithoutSecret;
import s3csi.driver.node.PublishRequests;
import s3csi.driver.node.Published;
import s3csi.driver.node.VolumeMount;
import s3csi.driver.node.kernel.FakeMounts;
import s3csi.driver.node.kernel.MountCalls;
import s3csi.volume.StoreKeys;
import s3csi.volume.VolumeFailure;
import s3csi.volume.VolumeId;

/** Whose keys the engine in a Mountpoint Pod has, and how they change. */
@Timeout(60)
class PodKeysTest extends PodMounterStage {
    private static final StoreKeys ROTATED = new StoreKeys("DRIVER", "rotated", Optional.empty());

    PodKeysTest(@TempDir Path scratch) throws IOException {
        super(scratch);
    }

    /** The Secret was emptied, and somebody decided that the driver's keys serve instead. */
    private VolumeMount emptied() {
        return PublishRequests.read(
                PublishRequests.generousReader(),
                PublishRequests.publish(target("x").path()).putVolumeContext("authenticationSource", "secret"));
    }

    @Test
    void keysOfASecretStayThoseOfASecretAndRotate() throws IOException {
        runPod("mp-1", "w-1");
        publish("w-1", volumeWithSecret("TENANT", "first"));
        refresh("w-1", volumeWithSecret("TENANT", "second"));
        assertThat(keysOf("mp-1")).contains("second").doesNotContain("first");
        assertThatThrownBy(() -> refresh("w-1", emptied())).isInstanceOf(VolumeFailure.class);
        assertThat(keysOf("mp-1")).contains("second").doesNotContain("canary-of-the-driver");
    }

    @Test
    void theDriversKeysStayTheDriversAndRotate() throws IOException {
        runPod("mp-1", "w-1");
        publish("w-1", volume());
        driverKeys = ROTATED;
        refresh("w-1", volumeWithSecret("TENANT", "tenants"));
        assertThat(keysOf("mp-1")).contains("rotated").doesNotContain("tenants");
    }

    /** A volume that is made anew may want other keys; what an engine got before must not show it. */
    @Test
    void aVolumeThatWantsKeysOfASecretIsNotServedByAnEngineWithTheDriversNorTheOtherWayRound() throws IOException {
        runPod("mp-1", "w-1", "w-2");
        publish("w-1", volume());
        assertThatThrownBy(() -> publish("w-2", volumeWithSecret("TENANT", "tenants")))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("it works with other keys than the volume wants now");
        assertThat(mounts.topAt(target("w-2").path())).isEmpty();
        assertThat(keysOf("mp-1")).contains("canary-of-the-driver").doesNotContain("tenants");
        runPod("mp-3", "w-3", "w-4");
        publish("w-3", volumeWithSecret("TENANT", "tenants"));
        assertThatThrownBy(() -> publish("w-4", volume())).isInstanceOf(VolumeFailure.class);
        assertThat(mounts.topAt(target("w-4").path())).isEmpty();
        assertThat(keysOf("mp-3")).contains("tenants").doesNotContain("canary-of-the-driver");
    }

    @Test
    void aBucketForEverybodyNeedsNoKeys() throws IOException {
        runPod("mp-1", "w-1");
        publish("w-1", volume("no-sign-request"));
        assertThat(keysOf("mp-1")).isEmpty();
        assertThat(pods.messages.getFirst().env()).noneMatch(line -> line.startsWith("AWS_PROFILE"));
    }

    @Test
    void aSourceWhosePodIsGoneKeepsItsKeys() throws IOException {
        runPod("mp-1", "w-1");
        publish("w-1", volume());
        objects.remove("mp-1");
        Eventually.until("it is gone", () -> assignments.pod("mp-1").isEmpty());
        driverKeys = ROTATED;
        refresh("w-1", volume());
        assertThat(keysOf("mp-1")).contains("canary-of-the-driver");
    }

    /** A source as a driver of 2.x mounted it: no notes, and files that are named after the first workload. */
    private Path mountedBefore(String pod, String workload) throws IOException {
        pods.start(pod);
        objects.put(pod, "", PodObjects.RUNNING);
        assign(pod, workload, "w-new");
        Path credentials = Files.createDirectories(pods.comm(pod).resolve("credentials"));
        Files.createDirectories(source(pod));
        Files.setPosixFilePermissions(source(pod), PosixFilePermissions.fromString("rwx------"));
        mounts.setPulse(mounts.add(source(pod), MountCalls.SOURCE_NAME, "fuse", false), FakeMounts.ALIVE);
        mounts.bind(source(pod), target(workload).path(), false);
        return credentials.resolve(workload + "-volume-1-s3-csi-credentials");
    }

    @Test
    void aSourceOfAnEarlierReleaseIsKnownByItsAttachmentAndGetsTheDriversKeys() throws IOException {
        Path keys = mountedBefore("mp-1", "w-old");
        Files.writeString(keys, "old");
        Published published = mounter.published(
                        target("w-old"), device(target("w-old").path()))
                .orElseThrow();
        assertThat(published).isEqualTo(new Published("volume-1", "", "", Optional.empty()));
        refresh("w-old", volume());
        assertThat(keys).hasContent("""
                        [w-old-volume-1-s3-csi]
                        aws_access_key_id=DRIVER
                        aws_secret_access_key=canary-of-the-driver
                        """);
    }

    @Test
    void keysOfASecretAreNotWrittenIntoFilesOfAnEarlierRelease() throws IOException {
        Path keys = mountedBefore("mp-1", "w-old");
        Files.writeString(keys, "old");
        refresh("w-old", volumeWithSecret("TENANT", "tenants"));
        assertThat(keys).hasContent("old");
    }

    /** What is mounted is the engine's: looking into it may wait, and changing it may be refused. */
    @Test
    void aSourceOfAnEarlierReleaseIsAdoptedWithoutATouch() throws IOException {
        Path keys = mountedBefore("mp-1", "w-old");
        Files.writeString(keys, "old");
        publish("w-new", volume());
        assertThat(pods.messages).isEmpty();
        assertThat(device(target("w-new").path()))
                .isEqualTo(device(target("w-old").path()));
        assertThat(Files.getPosixFilePermissions(source("mp-1")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(notes("mp-1").resolve("identity")).exists();
        driverKeys = ROTATED;
        refresh("w-new", volume());
        assertThat(keys).content().contains("rotated");
    }

    private WithoutSecret without(String workload) {
        return mounter.withoutSecret(target(workload), new VolumeId("volume-1"));
    }

    @Test
    void theDriversKeysServeWithoutASecretOnlyWhereTheVolumeNamesNone() {
        for (String pod : new String[] {"mp-named", "mp-not", "mp-untold"}) {
            String annotation = switch (pod) {
                case "mp-named" -> PodObjects.SECRET;
                case "mp-not" -> PodObjects.NO_SECRET;
                default -> "";
            };
            objects.put(pod, annotation, PodObjects.PENDING);
            assign(pod, "w-of-" + pod);
        }
        assertThat(without("w-of-mp-named")).isEqualTo(WithoutSecret.REFUSED);
        assertThat(without("w-of-mp-not")).isEqualTo(WithoutSecret.DRIVER_KEYS);
        assertThat(without("w-of-mp-untold")).isEqualTo(WithoutSecret.REFUSED);
        assertThatThrownBy(() -> without("w-of-nobody")).isInstanceOf(VolumeFailure.class);
    }

    @Test
    void whatIsMountedDecidesWithoutTheApiServer() throws IOException {
        runPod("mp-1", "w-1");
        publish("w-1", volumeWithSecret("TENANT", "tenants"));
        runPod("mp-2", "w-2");
        publish("w-2", volume());
        server.close();
        assertThat(without("w-1")).isEqualTo(WithoutSecret.REFUSED);
        assertThat(without("w-2")).isEqualTo(WithoutSecret.DRIVER_KEYS);
    }
}
