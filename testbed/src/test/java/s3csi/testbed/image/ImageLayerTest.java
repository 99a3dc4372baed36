package s3csi.testbed.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.s3.testing.process.ChildProcess;

/** Layers, read by the tar of the machine. */
final class ImageLayerTest {
    private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");
    private static final String LONG = "a-name-with-more-than-a-hundred-letters-needs-both-fields/".repeat(3) + "file";

    @TempDir
    Path directory;

    @Test
    void aLayerHoldsWhatIsInTheDirectory() throws IOException {
        Path root = sample("root");
        Path unpacked = Files.createDirectory(directory.resolve("unpacked"));
        tar("-xpzf", layer(root).file().toString(), "-C", unpacked.toString());
        assertThat(unpacked.resolve("bin/program")).hasContent("a program").isExecutable();
        assertThat(unpacked.resolve("etc/empty")).isEmptyFile();
        assertThat(unpacked.resolve("etc/block")).hasSize(1024);
        assertThat(unpacked.resolve(LONG)).hasContent("far away");
        assertThat(Files.readSymbolicLink(unpacked.resolve("bin/other"))).hasToString("program");
        assertThat(Files.getAttribute(unpacked.resolve("tmp"), "unix:mode")).isEqualTo(0041777);
        assertThat(Files.getLastModifiedTime(unpacked.resolve("etc/block"))).isEqualTo(FileTime.from(TIME));
    }

    @Test
    void theSameFilesMakeTheSameBytesWhoeverWroteThemWhenever() throws IOException {
        Path other = sample("other");
        try (Stream<Path> files = Files.walk(other)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
                Files.setPosixFilePermissions(
                        file, PosixFilePermissions.fromString(Files.isExecutable(file) ? "rwx------" : "rw-rw-rw-"));
            }
        }
        assertThat(layer(other).digest()).isEqualTo(layer(sample("root")).digest());
    }

    @Test
    void otherContentMakesOtherBytes() throws IOException {
        Path other = sample("other");
        Files.writeString(other.resolve("bin/program"), "A program");
        assertThat(layer(other).digest()).isNotEqualTo(layer(sample("root")).digest());
    }

    @Test
    void nothingInALayerChangesWhoItsUserIs() throws IOException {
        Path root = sample("root");
        Files.setAttribute(root.resolve("bin/program"), "unix:mode", 06755);
        assertThat(tar("-tvzf", layer(root).file().toString()))
                .contains("-rwxr-xr-x 0/0")
                .doesNotContain("rws");
    }

    @Test
    void aFileIsInTheLastLayerThatItMatchesWithTheDirectoriesAboveIt() throws IOException {
        List<LayerFiles> layers = LayerFiles.of(sample("root"), List.of("**", "bin/*", "bin/other"));
        assertThat(layers.get(0).paths()).contains(Path.of("etc/empty")).doesNotContain(Path.of("bin/program"));
        assertThat(layers.get(1).paths()).containsExactly(Path.of("bin"), Path.of("bin/program"));
        assertThat(layers.get(2).paths()).containsExactly(Path.of("bin"), Path.of("bin/other"));
    }

    @Test
    void aFileThatBelongsToNoLayerIsRefused() throws IOException {
        Path root = sample("root");
        assertThatThrownBy(() -> LayerFiles.of(root, List.of("bin/**"))).hasMessageContaining("belongs to none of");
    }

    @Test
    void aNameThatNoArchiveCanHoldIsRefused() throws IOException {
        Path root = Files.createDirectory(directory.resolve("long"));
        Files.createFile(root.resolve("n".repeat(101)));
        assertThatThrownBy(() -> layer(root)).hasMessageContaining("longer than an archive can hold");
    }

    private Path sample(String name) throws IOException {
        Path root = Files.createDirectory(directory.resolve(name));
        Path bin = Files.createDirectory(root.resolve("bin"));
        Path program = Files.writeString(bin.resolve("program"), "a program");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createSymbolicLink(bin.resolve("other"), Path.of("program"));
        Path etc = Files.createDirectory(root.resolve("etc"));
        Files.createFile(etc.resolve("empty"));
        Files.write(etc.resolve("block"), new byte[1024]);
        Files.setAttribute(Files.createDirectory(root.resolve("tmp")), "unix:mode", 01777);
        Files.createDirectories(root.resolve(LONG).getParent());
        Files.writeString(root.resolve(LONG), "far away");
        return root;
    }

    private ImageLayer layer(Path root) throws IOException {
        LayerFiles all = LayerFiles.of(root, List.of("**")).getFirst();
        return ImageLayer.write(all, directory.resolve(root.getFileName() + ".tar.gz"), TIME);
    }

    private String tar(String... arguments) throws IOException {
        Path log = directory.resolve("tar.log");
        List<String> command = Stream.concat(Stream.of("tar", "--numeric-owner"), Stream.of(arguments))
                .toList();
        ChildProcess.run(command, Map.of(), log, Duration.ofSeconds(30));
        return Files.readString(log);
    }
}
