package s3csi.mounter.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

final class StartFailureTest {
    @Test
    void causesAreNumberedBelowTheOutermostMessage() {
        StartFailure failure = new StartFailure(
                "Failed to create S3 client", new IOException("no answer", new IOException((String) null)));

        assertThat(failure.report()).isEqualTo("""
                Error: Failed to create S3 client

                Caused by:
                    0: no answer
                    1: IOException
                """);
    }

    @Test
    void whatACauseRepeatsIsSaidOnce() {
        StartFailure failure = new StartFailure(
                "Failed to create S3 client",
                new IOException("no connection to the store (refused)", new IOException("refused")));

        assertThat(failure.report()).endsWith("Caused by:\n    0: no connection to the store (refused)\n");
    }

    @Test
    void aFileIsNotNamedWithoutTheReason() {
        assertThat(new StartFailure("no log", new NoSuchFileException("/a")).report())
                .endsWith("0: /a: no such file or directory\n");
        assertThat(new StartFailure("no log", new AccessDeniedException("/a")).report())
                .endsWith("0: /a: permission denied\n");
        assertThat(new StartFailure("no log", new FileAlreadyExistsException("/a")).report())
                .endsWith("0: /a: there is a file of this name\n");
        assertThat(new StartFailure("no log", new FileSystemException("/a", null, "Read-only file system")).report())
                .endsWith("0: /a: Read-only file system\n");
    }

    @Test
    void withoutCauseThereIsOneLine() {
        assertThat(new StartFailure("no").report()).isEqualTo("Error: no\n");
    }
}
