package s3csi.mounter.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
    void withoutCauseThereIsOneLine() {
        assertThat(new StartFailure("no").report()).isEqualTo("Error: no\n");
    }
}
