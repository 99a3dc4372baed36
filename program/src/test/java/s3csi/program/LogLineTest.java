package s3csi.program;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class LogLineTest {
    private final LoggerContext loggers = new LoggerContext();

    @Test
    void hasTheKeysThatReadersOfKubernetesLogsKnow() {
        assertThat(line(Level.INFO, "bucket made", null))
                .isEqualTo(
                        "{\"ts\":7,\"level\":\"info\",\"v\":0,\"caller\":\"Maker\",\"msg\":\"bucket made\",\"bucket\":\"b\"}\n");
    }

    @Test
    void staysOneLineWhateverItCarries() {
        String line = line(Level.ERROR, "a\r\nb\u2028c\u001b[31m\"\\", new IllegalStateException("x\ny"));
        assertThat(line.stripTrailing()).doesNotContain("\n", "\r", "\u2028", "\u001b");
        assertThat(line)
                .contains("\"msg\":\"a\\r\\nb\\u2028c\\u001b[31m\\\"\\\\\"")
                .contains("\"err\":\"java.lang.IllegalStateException: x\\ny");
    }

    /** A name of a file may hold half a character, which has no bytes of its own. */
    @Test
    void halfACharacterIsShownAsWhatItIs() {
        assertThat(line(Level.INFO, "a\ud83d", null)).contains("\"msg\":\"a\\ud83d\"");
        assertThat(line(Level.INFO, "\ud83d\ude42", null)).contains("\"msg\":\"\\ud83d\\ude42\"");
    }

    @Test
    void tellsTheVerbosityThatShowsIt() {
        assertThat(line(Level.DEBUG, "call", null)).contains("\"v\":4");
    }

    private String line(Level level, String message, @Nullable Throwable thrown) {
        LoggingEvent event =
                new LoggingEvent("", loggers.getLogger("s3csi.Maker"), level, message, thrown, new Object[] {});
        event.setTimeStamp(7);
        event.addKeyValuePair(new KeyValuePair("bucket", "b"));
        return new String(new LogLine().encode(event), StandardCharsets.UTF_8);
    }
}
