package s3csi.s3.testing.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.linux.MountTable;
import s3csi.linux.Mounts;

final class ScratchTest {
    @Test
    void removesADirectoryWithAllInItButFollowsNoLink(@TempDir Path elsewhere) throws IOException {
        Path kept = Files.writeString(elsewhere.resolve("kept"), "kept");
        Path directory = Scratch.directory("scratch");
        Files.createDirectories(directory.resolve("a/b"));
        Files.createSymbolicLink(directory.resolve("a/link"), elsewhere);

        Scratch.delete(directory);

        assertThat(directory).doesNotExist();
        assertThat(kept).exists();
    }

    @Test
    void removesWhatADeadOwnerLeftAndNothingElse(@TempDir Path base) throws IOException {
        Path left = root(base, "s3csi-testbed-left", Instant.now().minusSeconds(3600));
        Path young = root(base, "s3csi-testbed-young", Instant.now());
        Path foreign = root(base, "other", Instant.now().minusSeconds(3600));

        Scratch.removeLeftovers(base);

        assertThat(left).doesNotExist();
        assertThat(young).exists();
        assertThat(foreign).exists();
    }

    @Test
    @Tag("engine")
    void unmountsWhatIsMountedBelowAndLeavesItsFilesAlone(@TempDir Path elsewhere) throws IOException {
        Path kept = Files.writeString(elsewhere.resolve("kept"), "kept");
        Path directory = Scratch.directory("scratch");
        Path mounted = Files.createDirectory(directory.resolve("mounted"));
        Mounts.bind(elsewhere, mounted);
        assertThat(mounted.resolve("kept")).exists();

        Scratch.delete(directory);

        assertThat(directory).doesNotExist();
        assertThat(kept).exists();
        assertThat(MountTable.current().at(mounted)).isEmpty();
    }

    private static Path root(Path base, String name, Instant lastModified) throws IOException {
        Path directory = Files.createDirectory(base.resolve(name));
        Path lock = Files.createFile(directory.resolve("owner.lock"));
        Files.setLastModifiedTime(lock, FileTime.from(lastModified));
        return directory;
    }
}
