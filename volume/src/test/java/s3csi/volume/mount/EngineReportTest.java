package s3csi.volume.mount;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import s3csi.volume.AuthenticationSource;
import s3csi.volume.EngineTrouble;

class EngineReportTest {
    @ParameterizedTest
    @EnumSource
    void comesThrough(EngineTrouble trouble) {
        EngineReport report = new EngineReport(trouble, "Error: so it is\nCaused by: that\n");
        assertThat(EngineReport.parse(report.toBytes())).isEqualTo(report);
    }

    @Test
    void wordsOfOtherReleasesAreTakenAsTheyAre() {
        assertThat(EngineReport.parse("Error: Failed to create S3 client".getBytes(UTF_8)))
                .isEqualTo(new EngineReport(EngineTrouble.ENGINE_FAILED, "Error: Failed to create S3 client"));
        assertThat(EngineReport.parse("cause: from-the-future\nx".getBytes(UTF_8)))
                .isEqualTo(new EngineReport(EngineTrouble.ENGINE_FAILED, "x"));
        assertThat(EngineReport.parse("cause: no-such-bucket".getBytes(UTF_8)).trouble())
                .isEqualTo(EngineTrouble.NO_SUCH_BUCKET);
    }

    @Test
    void becomesACauseThatFitsALine() {
        assertThat(new EngineReport(EngineTrouble.WRONG_KEYS, "Error: no.\n\nCaused by: x.\n")
                        .cause("b", AuthenticationSource.DRIVER, "the log"))
                .extracting(cause -> cause.message())
                .asString()
                .contains("Cannot mount bucket \"b\": Error: no. Caused by: x. ")
                .doesNotContain("\n", "..");
        assertThat(EngineReport.parse(new byte[0])
                        .cause("b", AuthenticationSource.DRIVER, "the log")
                        .why())
                .contains("without a word");
    }
}
