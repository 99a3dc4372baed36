package s3csi.mounter.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import s3csi.filesystem.write.UploadSettings;
import s3csi.mounter.command.MountCommand;
import s3csi.mounter.config.MountConfig;
import s3csi.mounter.config.StartFailure;

/** Parts and the memory they have to fit into. */
final class EngineSettingsTest {
    private static final long MIB = 1 << 20;
    private static final long BUDGET = 64 * MIB;

    @Test
    void partsThatFitStayAsTheyAre() throws Exception {
        assertThat(writePart("--write-part-size=" + 48 * MIB)).isEqualTo(48 * MIB);
    }

    @Test
    void partsLargerThanTheMemoryAskedForAreRefused() {
        assertThatExceptionOfType(StartFailure.class)
                .isThrownBy(() -> writePart("--write-part-size=" + 49 * MIB, "--memory-target=128"))
                .withMessageContainingAll("--write-part-size", "--memory-target", "lower the one or raise the other");
    }

    @Test
    void partsLargerThanTheMemoryThatIsThereAreLowered() throws Exception {
        assertThat(writePart("--part-size=" + 100 * MIB)).isEqualTo(48 * MIB);
    }

    @Test
    void aReadOnlyMountDoesNotCare() throws Exception {
        assertThat(writePart("--write-part-size=" + 49 * MIB, "--memory-target=128", "--read-only"))
                .isEqualTo(48 * MIB);
    }

    @Test
    void readPartsFitTwiceIntoTheMemory() throws Exception {
        assertThat(readPart()).isEqualTo(8 * MIB);
        assertThat(readPart("--read-part-size=" + 32 * MIB)).isEqualTo(32 * MIB);
        assertThat(readPart("--read-part-size=" + 500 * MIB)).isEqualTo(32 * MIB);
        assertThatExceptionOfType(StartFailure.class)
                .isThrownBy(() -> readPart("--read-part-size=" + (32 * MIB + 1), "--memory-target=128"))
                .withMessageContainingAll("--read-part-size", "--memory-target", "lower the one or raise the other");
    }

    @Test
    void unfinishedUploadsAreNotedInTheDirectoryOfTheCache() throws Exception {
        assertThat(uploads("--cache=/c").notes()).startsWithRaw(Path.of("/c"));
        assertThat(uploads("--cache=/c").notes())
                .isEqualTo(uploads("--cache=/c", "--prefix=p/").notes())
                .isNotEqualTo(
                        uploads("--cache=/c", "--endpoint-url=http://other").notes());
        assertThat(uploads("--cache=/c", "--read-only").notes()).isNull();
        assertThat(uploads().notes()).isNull();
    }

    private static long writePart(String... options) throws Exception {
        return uploads(options).partSize();
    }

    private static long readPart(String... options) throws Exception {
        return EngineSettings.reads(config(options).client(), BUDGET).partSize();
    }

    private static UploadSettings uploads(String... options) throws Exception {
        return EngineSettings.fileSystem(config(options), BUDGET).uploads();
    }

    private static MountConfig config(String... options) throws Exception {
        List<String> line = new ArrayList<>(List.of("bucket", "/mnt"));
        line.addAll(List.of(options));
        if (MountCommand.parse(line, Map.of(), "1.2.3") instanceof MountCommand.Mount(MountConfig config)) {
            return config;
        }
        throw new AssertionError("not a mount");
    }
}
