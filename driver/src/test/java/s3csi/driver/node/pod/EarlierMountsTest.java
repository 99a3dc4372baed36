package s3csi.driver.node.pod;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import s3csi.driver.node.PublishReader.WithoutSecret;
import s3csi.driver.node.PublishRequests;
import s3csi.driver.node.kernel.MountCalls;
import s3csi.volume.VolumeId;

/** Mounts of 1.x, which services of systemd made at the targets themselves: they go on, and their keys rotate. */
@Timeout(60)
class EarlierMountsTest extends PodMounterStage {
    private static final VolumeId VOLUME = new VolumeId(PublishRequests.VOLUME);

    EarlierMountsTest(@TempDir Path scratch) throws IOException {
        super(scratch);
    }

    private void mountAsBefore(String workload) throws IOException {
        mounts.add(Files.createDirectories(target(workload).path()), MountCalls.SOURCE_NAME, "fuse", false);
    }

    private Path writeKeys(String workload) throws IOException {
        Files.writeString(plugin.resolve(workload + "-volume-1-s3-csi-config"), "[profile x]\n");
        return Files.writeString(plugin.resolve(workload + "-volume-1-s3-csi-credentials"), "[x]\nold\n");
    }

    @Test
    void theirFilesGetTheKeysThatTheDriverHasNow() throws IOException {
        mountAsBefore("w-1");
        Path keys = writeKeys("w-1");
        refresh("w-1", volume());
        assertThat(keys)
                .content()
                .startsWith("[w-1-volume-1-s3-csi]\n")
                .contains("canary-of-the-driver")
                .doesNotContain("old");
        assertThat(mounts.calls).isEmpty();
    }

    /** Those keys are in the environment of the engine. */
    @Test
    void oneWithKeysOfASecretGetsNoFiles() throws IOException {
        mountAsBefore("w-1");
        refresh("w-1", volumeWithSecret("TENANT", "second"));
        refresh("w-1", volume());
        try (var files = Files.list(plugin)) {
            assertThat(files).noneMatch(file -> file.toString().endsWith("-credentials"));
        }
    }

    @Test
    void theirFilesGoWithThemAndThoseOfOthersStay() throws IOException {
        mountAsBefore("w-1");
        writeKeys("w-1");
        Path other = writeKeys("w-10");
        unpublish("w-1");
        try (var files = Files.list(plugin)) {
            assertThat(files).noneMatch(file -> file.getFileName().toString().startsWith("w-1-"));
        }
        assertThat(other).exists();
    }

    @Test
    void keysThatNoEngineReadsAreRemoved() throws IOException {
        runPod("mp-1", "w-1");
        publish("w-1", volume());
        Path keys = writeKeys("w-1");
        refresh("w-1", volume());
        assertThat(keys).doesNotExist();
        assertThat(plugin.resolve("w-1-volume-1-s3-csi-config")).doesNotExist();
        assertThat(keysOf("mp-1")).contains("canary-of-the-driver");
    }

    @Test
    void withoutASecretTheDriversKeysServeWhereTheyDidBefore() throws IOException {
        mountAsBefore("w-1");
        assertThat(mounter.withoutSecret(target("w-1"), VOLUME)).isEqualTo(WithoutSecret.REFUSED);
        writeKeys("w-1");
        assertThat(mounter.withoutSecret(target("w-1"), VOLUME)).isEqualTo(WithoutSecret.DRIVER_KEYS);
    }

    /** A volume may have a name that makes no name of a file. */
    @Test
    void aNameThatIsTooLongForAFileIsNoTrouble() throws IOException {
        mountAsBefore("w-1");
        VolumeId longest = new VolumeId("v".repeat(250));
        assertThat(mounter.withoutSecret(target("w-1"), longest)).isEqualTo(WithoutSecret.REFUSED);
        new HostKeys(plugin).remove(target("w-1"), longest);
    }
}
