package s3csi.s3.xml;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Times are read as the JDK reads them. */
class XmlTextTest {
    private static final Instant NONE = Instant.ofEpochSecond(-7);

    private static Instant read(String time) {
        XmlText text = new XmlText();
        text.append(time.getBytes(StandardCharsets.UTF_8));
        return text.toTime(NONE);
    }

    private static Instant readByTheJdk(String time) {
        try {
            return Instant.parse(time);
        } catch (DateTimeException e) {
            return NONE;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-02T03:04:05Z",
                "2026-01-02T03:04:05.678Z",
                "2026-01-02T03:04:05.6Z",
                "2026-01-02T03:04:05.678901234Z",
                "2026-01-02T03:04:05+01:00",
                "2024-02-29T00:00:00Z",
                "2023-02-29T00:00:00Z",
                "2016-12-31T23:59:60Z",
                "2016-12-30T23:59:60Z",
                "2026-01-02T24:00:00Z",
                "2026-01-02T24:00:01.000Z",
                "2026-13-02T03:04:05Z",
                "2026-01-02T03:60:05Z",
                "2026-01-02 03:04:05Z",
                "2026-01-02T03:04:05z",
                "-026-01-02T03:04:05Z",
                "0000-01-02T03:04:05.000Z",
                "9999-12-31T23:59:59.999Z",
                "yesterday at about noon.",
                ""
            })
    void aTimeIsWhatTheJdkSays(String time) {
        assertThat(read(time)).isEqualTo(readByTheJdk(time));
    }

    @Test
    void anyTimeComesBack() {
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            Instant time = Instant.ofEpochMilli(random.nextLong(253_402_300_800_000L));
            assertThat(read(time.toString())).isEqualTo(time);
            assertThat(read(time.truncatedTo(ChronoUnit.SECONDS).toString()))
                    .isEqualTo(time.truncatedTo(ChronoUnit.SECONDS));
        }
    }
}
