package s3csi.mounter.pod;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CacheDirectoryTest {
    @TempDir
    private Path scratch;

    private CacheDirectory of(String... options) throws Exception {
        return CacheDirectory.of(
                List.of(options), new CommDirectory(scratch.resolve("comm")), scratch.resolve("volume"));
    }

    @Test
    void withoutCacheOptionsStayAsTheyAre() throws Exception {
        assertThat(of("--uid=1", "--prefix=a/").options()).containsExactly("--uid=1", "--prefix=a/");
    }

    @Test
    void aDirectoryThatTheNodeMadeInTheCommDirectoryIsTaken() throws Exception {
        String option = "--cache=" + scratch.resolve("comm/cache");
        try (CacheDirectory cache = of("--uid=1", option)) {
            assertThat(cache.options()).containsExactly("--uid=1", option);
        }
    }

    @Test
    void aPathOfTheNodeBecomesANewDirectoryThatGoesWithTheMount() throws Exception {
        for (List<String> options : List.of(
                List.of("--cache=/var/cache/volume"),
                List.of("--cache", "/var/cache/volume"),
                List.of("--cache=" + scratch.resolve("comm/../elsewhere")))) {
            Path used;
            try (CacheDirectory cache = of(options.toArray(String[]::new))) {
                assertThat(cache.options()).hasSize(1);
                used = Path.of(cache.options().getFirst().substring("--cache=".length()));
                assertThat(used).isDirectory().isEqualTo(cache.temporary());
                Files.createDirectories(used.resolve("mountpoint-cache/ab"));
                Files.writeString(used.resolve("mountpoint-cache/ab/block"), "data");
            }
            assertThat(used).doesNotExist();
        }
    }

    @Test
    void theVolumeOfThePodComesFirstAndStays() throws Exception {
        Path volume = Files.createDirectory(scratch.resolve("volume"));
        for (String[] options : List.of(new String[] {"--uid=1"}, new String[] {"--cache=/somewhere", "--uid=1"})) {
            try (CacheDirectory cache = of(options)) {
                assertThat(cache.options()).containsExactly("--uid=1", "--cache=" + volume);
            }
            assertThat(volume).isDirectory();
        }
    }
}
