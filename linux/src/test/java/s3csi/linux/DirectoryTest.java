package s3csi.linux;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryTest {
    @TempDir
    Path parent;

    private Path inside = Path.of("/");

    @BeforeEach
    void makeDirectory() throws Exception {
        inside = Files.createDirectory(parent.resolve("comm"));
        Files.writeString(parent.resolve("secret"), "not for you");
    }

    private static void assertFails(int errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        LinuxException.class,
                        e -> assertThat(e.errno()).as(e.getMessage()).isEqualTo(errno));
    }

    @Test
    void readsWhatIsReallyThere() throws Exception {
        Files.writeString(inside.resolve("mount.err"), "no such bucket");
        try (Directory directory = Directory.at(inside)) {
            assertThat(directory.read("mount.err", 1000)).asString().isEqualTo("no such bucket");
            assertThat(directory.read("mount.err", 2)).asString().isEqualTo("no");
            assertThat(directory.readEnd("mount.err", 6)).asString().isEqualTo("bucket");
            assertThat(directory.readEnd("mount.err", 1000)).asString().isEqualTo("no such bucket");
            assertFails(Errno.ENOENT, () -> directory.read("absent", 10));
        }
    }

    @Test
    void refusesEveryWayOut() throws Exception {
        Files.createSymbolicLink(inside.resolve("link"), parent.resolve("secret"));
        Files.createSymbolicLink(inside.resolve("relative"), Path.of("../secret"));
        Files.createSymbolicLink(inside.resolve("up"), parent);
        Files.createSymbolicLink(inside.resolve("magic"), Path.of("/proc/self/root"));
        try (Directory directory = Directory.at(inside)) {
            assertFails(Errno.ELOOP, () -> directory.read("link", 100));
            assertFails(Errno.ELOOP, () -> directory.read("relative", 100));
            assertFails(Errno.ELOOP, () -> directory.read("up/secret", 100));
            assertFails(Errno.ELOOP, () -> directory.read("magic/etc/passwd", 100));
            assertFails(Errno.EXDEV, () -> directory.read("../secret", 100));
            assertFails(
                    Errno.EXDEV, () -> directory.read(parent.resolve("secret").toString(), 100));
            assertFails(Errno.ELOOP, () -> directory.directory("up"));
        }
    }

    @Test
    void doesNotWaitForAPipe() throws Exception {
        assertThat(new ProcessBuilder("mkfifo", inside.resolve("pipe").toString())
                        .start()
                        .waitFor())
                .isZero();
        try (Directory directory = Directory.at(inside)) {
            assertFails(Errno.EINVAL, () -> directory.read("pipe", 10));
            assertFails(Errno.EINVAL, () -> directory.readEnd("pipe", 10));
        }
    }

    @Test
    void replacesAFileWholeAndWritesThroughNoLink() throws Exception {
        Files.createSymbolicLink(inside.resolve("credentials"), parent.resolve("secret"));
        Files.createSymbolicLink(inside.resolve(".credentials.new"), parent.resolve("secret"));
        try (Directory directory = Directory.at(inside)) {
            directory.replace("credentials", "[s3]".getBytes(UTF_8), 0640, -1, -1);
            assertThat(inside.resolve("credentials")).hasContent("[s3]").isRegularFile();
            assertThat(Files.isSymbolicLink(inside.resolve("credentials"))).isFalse();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(inside.resolve("credentials"))))
                    .isEqualTo("rw-r-----");
            assertThat(parent.resolve("secret")).hasContent("not for you");
            assertThatThrownBy(() -> directory.replace("../secret", new byte[1], 0600, -1, -1))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(directory.removeIfPresent("credentials")).isTrue();
            assertThat(directory.removeIfPresent("credentials")).isFalse();
            assertThat(inside).isEmptyDirectory();
        }
    }

    /** As somebody may do who wants the file not to be written. */
    @Test
    void aDirectoryInTheWayOfTheDraftDoesNotKeepAFileFromBeingReplaced() throws Exception {
        Path inTheWay = Files.createDirectories(inside.resolve(".file.new/deeper"));
        try (Directory directory = Directory.at(inside)) {
            directory.replace("file", "content".getBytes(UTF_8), 0640, -1, -1);
        }
        assertThat(inside.resolve("file")).hasContent("content");
        assertThat(inTheWay).exists();
        try (Stream<Path> files = Files.list(inside)) {
            assertThat(files.filter(file -> file.toString().endsWith(".new"))).hasSize(1);
        }
    }

    @Test
    void opensDirectoriesBelow() throws Exception {
        Files.createDirectories(inside.resolve("a/b"));
        Files.writeString(inside.resolve("a/b/c"), "deep");
        try (Directory directory = Directory.at(inside);
                Directory below = directory.directory("a/b")) {
            assertThat(below.read("c", 10)).asString().isEqualTo("deep");
            assertFails(Errno.EXDEV, () -> below.read("../b/c", 10));
        }
    }

    @Test
    void aNameWithNulIsRefused() throws Exception {
        try (Directory directory = Directory.at(inside)) {
            assertThatThrownBy(() -> directory.read("a\0b", 10)).hasMessageContaining("NUL");
        }
    }

    @Test
    void aReplacementThatFailsLeavesNothing() throws Exception {
        Files.createDirectory(inside.resolve("credentials"));
        try (Directory directory = Directory.at(inside)) {
            assertFails(Errno.EISDIR, () -> directory.replace("credentials", new byte[1], 0640, -1, -1));
        }
        try (Stream<Path> left = Files.list(inside)) {
            assertThat(left).containsExactly(inside.resolve("credentials"));
        }
    }

    @Test
    void changesTheModeOfADirectoryAndOfNothingElse() throws Exception {
        Path below = Files.createDirectory(inside.resolve("below"));
        Files.writeString(inside.resolve("file"), "");
        Files.createSymbolicLink(inside.resolve("link"), parent);
        Object before = Files.getAttribute(parent, "unix:mode");
        try (Directory directory = Directory.at(inside)) {
            directory.changeMode("below", 02750);
            assertThat((int) Files.getAttribute(below, "unix:mode") & 07777).isEqualTo(02750);
            assertFails(Errno.ELOOP, () -> directory.changeMode("link", 0700));
            assertFails(Errno.EXDEV, () -> directory.changeMode("..", 0700));
            assertFails(Errno.ENOTDIR, () -> directory.changeMode("file", 0700));
            assertFails(Errno.ENOENT, () -> directory.changeMode("absent", 0700));
        }
        assertThat(Files.getAttribute(parent, "unix:mode")).isEqualTo(before);
    }

    @Test
    void namesAllThatIsInItWhateverItsPathIsBy() throws Exception {
        Files.writeString(inside.resolve("a"), "");
        Files.createDirectory(inside.resolve("b"));
        try (Directory directory = Directory.at(inside)) {
            Files.move(inside, parent.resolve("moved"));
            Files.createDirectory(inside);
            assertThat(directory.names()).containsExactlyInAnyOrder("a", "b");
        }
    }
}
