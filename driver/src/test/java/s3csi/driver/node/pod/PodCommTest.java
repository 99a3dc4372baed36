package s3csi.driver.node.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.volume.StoreKeys;
import s3csi.volume.VolumeFailure;
import s3csi.volume.mount.ProfileFiles;

/** The pod may write in the directory: whatever it puts there, the driver reads and writes nowhere else. */
class PodCommTest {
    private static final ProfileFiles PROFILE = new ProfileFiles("uid-volume-s3-csi");
    private static final StoreKeys KEYS = new StoreKeys("A", "canary", Optional.empty());

    @TempDir
    private Path scratch;

    private Path path;
    private Path elsewhere;
    private PodComm comm;

    @BeforeEach
    void makeDirectories() throws IOException {
        path = Files.createDirectory(scratch.resolve("comm"));
        elsewhere = Files.createDirectory(scratch.resolve("elsewhere"));
        comm = new PodComm(path);
    }

    private static int mode(Path file) throws IOException {
        return (int) Files.getAttribute(file, "unix:mode") & 07777;
    }

    @Test
    void onlyADirectoryThatIsThereExists() {
        assertThat(comm.exists()).isTrue();
        assertThat(new PodComm(scratch.resolve("absent")).exists()).isFalse();
    }

    @Test
    void directoriesAreForTheGroupOfThePodWhateverTheMask() throws IOException {
        comm.prepare();
        comm.prepare();
        assertThat(mode(path.resolve("credentials"))).isEqualTo(02750);
        assertThat(mode(path.resolve("uploads"))).isEqualTo(02770);
    }

    @Test
    void keysAreInFilesForTheGroup() throws IOException {
        comm.prepare();
        comm.credentials(PROFILE).write(KEYS);
        assertThat(path.resolve("credentials/uid-volume-s3-csi-credentials"))
                .content()
                .contains("canary");
        assertThat(path.resolve("credentials/uid-volume-s3-csi-config")).hasContent("[profile uid-volume-s3-csi]\n");
        assertThat(mode(path.resolve("credentials/uid-volume-s3-csi-credentials")))
                .isEqualTo(0640);
        assertThat(comm.profiles()).containsExactly(PROFILE);
    }

    @Test
    void aLinkInPlaceOfADirectoryIsRefused() throws IOException {
        Files.createSymbolicLink(path.resolve("credentials"), elsewhere);
        Files.writeString(elsewhere.resolve("other-credentials"), "");
        int mode = mode(elsewhere);
        assertThatThrownBy(comm::prepare).isInstanceOf(VolumeFailure.class);
        assertThatThrownBy(() -> comm.credentials(PROFILE).write(KEYS)).isInstanceOf(VolumeFailure.class);
        assertThatThrownBy(comm::profiles).isInstanceOf(VolumeFailure.class);
        assertThat(elsewhere).isDirectoryNotContaining(file -> !file.endsWith("other-credentials"));
        assertThat(mode(elsewhere)).isEqualTo(mode);
    }

    @Test
    void aFileInPlaceOfADirectoryIsRefused() throws IOException {
        Files.writeString(path.resolve("uploads"), "");
        assertThatThrownBy(comm::prepare).isInstanceOf(VolumeFailure.class).hasMessageContaining(path.toString());
    }

    @Test
    void aLinkInPlaceOfAFileIsRefused() throws IOException {
        comm.prepare();
        Path victim = Files.writeString(elsewhere.resolve("victim"), "untouched");
        Path file = path.resolve("credentials/uid-volume-s3-csi-credentials");
        Files.createSymbolicLink(file, victim);
        assertThatThrownBy(() -> comm.credentials(PROFILE).write(KEYS)).isInstanceOf(VolumeFailure.class);
        assertThat(victim).hasContent("untouched");
    }

    @Test
    void theEndIsAskedForOnceAndThroughNoLink() throws IOException {
        comm.askForTheEnd();
        Path exit = path.resolve("mount.exit");
        assertThat(exit).isEmptyFile();
        assertThat(mode(exit)).isEqualTo(0640);
        Object first = Files.getAttribute(exit, "unix:ino");
        comm.askForTheEnd();
        assertThat(Files.getAttribute(exit, "unix:ino")).isEqualTo(first);

        Files.delete(exit);
        Path victim = elsewhere.resolve("victim");
        Files.createSymbolicLink(exit, victim);
        comm.askForTheEnd();
        assertThat(victim).doesNotExist();
    }

    @Test
    void theEndIsAskedForWhateverThePodPutInTheWay() throws IOException {
        Files.createDirectories(path.resolve(".mount.exit.new/deeper"));
        comm.askForTheEnd();
        assertThat(path.resolve("mount.exit")).isEmptyFile();
    }

    @Test
    void profilesAreThoseWithKeys() throws IOException {
        assertThat(comm.profiles()).isEmpty();
        comm.prepare();
        for (String name : new String[] {"a-credentials", "a-config", ".b-credentials", "c", "-credentials.new"}) {
            Files.writeString(path.resolve("credentials").resolve(name), "");
        }
        assertThat(comm.profiles()).containsExactly(new ProfileFiles("a"));
    }
}
