package s3csi.mounter.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CachePlaceTest {
    @TempDir
    private Path scratch;

    private CachePlace place() {
        return new CachePlace(new CommDirectory(scratch.resolve("comm")), scratch.resolve("volume"));
    }

    @Test
    void thereIsNoCacheThatNobodyAskedFor() throws Exception {
        try (CachePlace place = place()) {
            assertThat(place.insteadOf(Optional.empty())).isEmpty();
        }
    }

    @Test
    void aDirectoryThatTheNodeMadeInTheCommDirectoryIsTaken() throws Exception {
        Path own = scratch.resolve("comm/cache");
        try (CachePlace place = place()) {
            assertThat(place.insteadOf(Optional.of(own))).contains(own);
        }
    }

    @Test
    void aPathOfTheNodeBecomesANewDirectoryThatGoesWithTheMount() throws Exception {
        for (Path asked :
                List.of(Path.of("/var/cache/volume"), Path.of("relative"), scratch.resolve("comm/../elsewhere"))) {
            Path used;
            try (CachePlace place = place()) {
                used = place.insteadOf(Optional.of(asked)).orElseThrow();
                assertThat(used).isDirectory().isNotEqualTo(asked);
                Files.createDirectories(used.resolve("mountpoint-cache/ab"));
                Files.writeString(used.resolve("mountpoint-cache/ab/block"), "data");
            }
            assertThat(used).doesNotExist();
        }
    }

    @Test
    void theVolumeOfThePodComesFirstAndStays() throws Exception {
        Path volume = Files.createDirectory(scratch.resolve("volume"));
        for (Optional<Path> asked : List.of(Optional.<Path>empty(), Optional.of(Path.of("/somewhere")))) {
            try (CachePlace place = place()) {
                assertThat(place.insteadOf(asked)).contains(volume);
            }
            assertThat(volume).isDirectory();
        }
    }
}
