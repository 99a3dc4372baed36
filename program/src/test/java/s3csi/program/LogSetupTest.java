package s3csi.program;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogSetupTest {
    @AfterEach
    void quiet() {
        LogSetup.verbosity(0);
    }

    @Test
    void signersStaySilentHoweverMuchIsAskedFor() {
        LogSetup.verbosity(10);
        assertThat(LoggerFactory.getLogger("software.amazon.awssdk.request").isDebugEnabled())
                .isTrue();
        assertThat(LoggerFactory.getLogger(LogSetup.SIGNERS + ".aws.internal.signer.DefaultV4RequestSigner")
                        .isDebugEnabled())
                .isFalse();
    }
}
