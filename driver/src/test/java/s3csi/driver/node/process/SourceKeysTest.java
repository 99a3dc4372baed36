package s3csi.driver.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.driver.node.PublishRequests;
import s3csi.driver.node.VolumeMount;
import s3csi.driver.node.source.MountedSource;
import s3csi.volume.StoreKeys;

/** Whose keys an engine has, and how they change. */
class SourceKeysTest extends ProcessMounterStage {
    SourceKeysTest(@TempDir Path scratch) throws IOException {
        super(scratch);
    }

    @Test
    void keysAreInFilesForTheEngineOnly() throws IOException {
        MountedSource source = publish("a", volume());
        assertThat(keysOf(source))
                .isEqualTo("[" + source.name() + "-volume-1-s3-csi]\naws_access_key_id=DRIVER\n"
                        + "aws_secret_access_key=canary-of-the-driver\n");
        assertThat(mode(comm(source))).isEqualTo("rwx------");
        assertThat(mode(comm(source).resolve("credentials"))).isEqualTo("rwxr-x---");
        try (Stream<Path> files = Files.list(comm(source).resolve("credentials"))) {
            assertThat(files.map(SourceKeysTest::mode)).containsOnly("rw-r-----");
        }
        assertThat(source.name()).doesNotContain("canary");
    }

    private static String mode(Path path) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whoBringsOtherKeysDoesNotGetAtWhatTheFirstOnesShow() throws IOException {
        MountedSource first = publish("a", volumeWithSecret("A", "key-a"));
        MountedSource second = publish("b", volumeWithSecret("A", "guessed"));
        assertThat(second).isNotEqualTo(first);
        assertThat(keysOf(first)).contains("key-a");
        assertThat(publish("c", volumeWithSecret("A", "key-a"))).isEqualTo(first);
        assertThat(publish("d", volumeWithSecret("A", "guessed"))).isEqualTo(second);
    }

    @Test
    void rotatedKeysReachTheEngineAndNothingIsMounted() throws IOException {
        MountedSource source = publish("a", volumeWithSecret("A", "old"));
        mounts.calls.clear();
        refresh(source, volumeWithSecret("A", "new"));
        assertThat(keysOf(source)).contains("=new\n").doesNotContain("old");
        assertThat(mounts.calls).isEmpty();
        assertThat(publish("b", volumeWithSecret("A", "new"))).isEqualTo(source);
    }

    @Test
    void keysThatDidNotChangeAreNotWritten() throws IOException {
        MountedSource source = publish("a", volume());
        Object before = fileKeys(source);
        refresh(source, volume());
        assertThat(fileKeys(source)).isEqualTo(before);
    }

    private List<Object> fileKeys(MountedSource source) throws IOException {
        try (Stream<Path> files = Files.list(comm(source).resolve("credentials"))) {
            List<Object> keys = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                keys.add(Files.getAttribute(file, "unix:ino"));
            }
            return keys;
        }
    }

    @Test
    void anEmptiedSecretDoesNotBringTheDriversKeysIntoARunningEngine() throws IOException {
        MountedSource source = publish("a", volumeWithSecret("TENANT", "key-of-the-tenant"));
        VolumeMount emptied = PublishRequests.read(
                PublishRequests.generousReader(),
                PublishRequests.publish(targets.resolve("x")).putVolumeContext("authenticationSource", "secret"));
        assertThatThrownBy(() -> refresh(source, emptied))
                .satisfies(failure -> assertThat(word(failure)).isEqualTo("invalid-secret"));
        assertThat(keysOf(source)).contains("key-of-the-tenant").doesNotContain("canary-of-the-driver");
        refresh(source, volumeWithSecret("TENANT", "rotated"));
        assertThat(keysOf(source)).contains("rotated");
    }

    @Test
    void aSourceWithTheDriversKeysKeepsToThemAndTheyRotate() throws IOException {
        MountedSource source = publish("a", volume());
        driverKeys = new StoreKeys("DRIVER", "rotated", Optional.empty());
        refresh(source, volumeWithSecret("TENANT", "key-of-the-tenant"));
        assertThat(keysOf(source)).contains("rotated").doesNotContain("key-of-the-tenant");
    }

    @Test
    void aTargetWhoseKeysStayedTheSameDoesNotTakeThoseOfAnother() throws IOException {
        MountedSource source = publish("a", volumeWithSecret("A", "first"));
        assertThat(publish("b", volumeWithSecret("A", "first"))).isEqualTo(source);
        refresh("b", source, volumeWithSecret("A", "second"));
        refresh("a", source, volumeWithSecret("A", "first"));
        assertThat(keysOf(source)).contains("=second\n");
        mounter = newMounter();
        refresh("b", source, volumeWithSecret("A", "second"));
        refresh("a", source, volumeWithSecret("A", "first"));
        assertThat(keysOf(source)).contains("=second\n");
        refresh("a", source, volumeWithSecret("A", "third"));
        refresh("b", source, volumeWithSecret("A", "second"));
        assertThat(keysOf(source)).contains("=third\n");
    }

    @Test
    void whatIsNotedOfATargetHoldsNoKeysAndGoesWithIt() throws IOException {
        MountedSource source = publish("a", volumeWithSecret("A", "canary"));
        publish("b", volumeWithSecret("A", "canary"));
        Path notes = comm(source).resolve("targets");
        assertThat(names(notes)).hasSize(2);
        for (String name : names(notes)) {
            assertThat(notes.resolve(name)).content().doesNotContain("canary");
        }
        unpublish("b");
        assertThat(names(notes)).hasSize(1);
    }
}
