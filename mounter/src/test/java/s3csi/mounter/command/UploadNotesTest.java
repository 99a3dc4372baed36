package s3csi.mounter.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import s3csi.mounter.config.MountConfig;
import s3csi.mounter.config.MountPoint;

/** Where unfinished uploads are noted. */
final class UploadNotesTest {
    @Test
    void unfinishedUploadsAreNotedInTheDirectoryOfTheCache() throws Exception {
        assertThat(notes("--cache=/c")).startsWithRaw(Path.of("/c"));
        assertThat(notes("--cache=/c"))
                .isEqualTo(notes("--cache=/c", "--prefix=p/"))
                .isNotEqualTo(notes("--cache=/c", "--endpoint-url=http://other"));
        assertThat(notes("--cache=/c", "--read-only")).isNull();
        assertThat(notes()).isNull();
    }

    @Test
    void unfinishedUploadsAreNotedWhereTheNodeSaysWithAndWithoutCache() throws Exception {
        Map<String, String> told = Map.of("S3CSI_UPLOAD_NOTES", "/plugin/uploads/volume");
        for (List<String> options : List.of(List.<String>of(), List.of("--cache=/c"))) {
            MountConfig config =
                    MountCommand.ofNode("bucket", options, told, new MountPoint.FuseDescriptor(7), asked -> asked);
            assertThat(config.files().uploads().notes()).isEqualTo(Path.of("/plugin/uploads/volume"));
        }
    }

    private static @Nullable Path notes(String... options) throws Exception {
        return CommandLines.with(options).files().uploads().notes();
    }
}
