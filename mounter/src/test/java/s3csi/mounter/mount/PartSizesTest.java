package s3csi.mounter.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import s3csi.filesystem.FileSystemConfig;
import s3csi.mounter.command.MountCommand;
import s3csi.mounter.config.MountConfig;
import s3csi.mounter.config.StartFailure;

/** Parts and the memory they have to fit into. */
final class PartSizesTest {
    private static final long MIB = 1 << 20;
    private static final long BUDGET = 585 * 128 * 1024;

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

    private static long writePart(String... options) throws Exception {
        return fitted(options).uploads().partSize();
    }

    private static long readPart(String... options) throws Exception {
        return fitted(options).reads().partSize();
    }

    private static FileSystemConfig fitted(String... options) throws Exception {
        MountConfig config = config(options);
        return PartSizes.fitted(
                config.files().withMemory(BUDGET),
                config.client().memoryTarget().isPresent());
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
