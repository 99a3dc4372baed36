package s3csi.mounter.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Against a real datagram socket, which a Python process of a few lines reads: the JDK has none. */
final class SyslogAppenderTest {
    private static final Logger LOGGER =
            ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger("s3csi.filesystem");

    @TempDir
    private Path scratch;

    private static LoggingEvent event(Level level, String message) {
        return new LoggingEvent("caller", LOGGER, level, message, null, new Object[0]);
    }

    private static SyslogAppender started(Path socket) {
        SyslogAppender appender = new SyslogAppender(socket, 42);
        appender.setContext(LOGGER.getLoggerContext());
        appender.start();
        return appender;
    }

    @Test
    void linesHaveTheFormOfSyslog() throws Exception {
        try (SyslogDaemon daemon = SyslogDaemon.start(scratch.resolve("log"))) {
            SyslogAppender appender = started(daemon.socket());
            appender.doAppend(event(Level.WARN, "first"));
            appender.doAppend(event(Level.DEBUG, "second"));

            assertThat(daemon.nextLine())
                    .matches(
                            "<12>[A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d mount-s3\\[42]: \\[WARN] main s3csi\\.filesystem: first");
            assertThat(daemon.nextLine()).startsWith("<15>").endsWith("[DEBUG] main s3csi.filesystem: second");
            appender.stop();
        }
    }

    @Test
    void theUserIsToldWhereNoDaemonListens() throws Exception {
        Path socket = scratch.resolve("log");
        assertThat(SyslogAppender.absence(socket))
                .hasValue(
                        "the log of this mount is lost, because no syslog daemon listens at " + socket
                                + " (no such file or directory); name a directory for it with --log-directory, or say --no-log");
        try (SyslogDaemon daemon = SyslogDaemon.start(socket)) {
            assertThat(SyslogAppender.absence(daemon.socket())).isEmpty();
        }
    }

    @Test
    void aDaemonThatStartsAgainIsFoundAgain() throws Exception {
        Path socket = scratch.resolve("log");
        SyslogAppender appender = started(socket);
        appender.doAppend(event(Level.INFO, "nobody hears this"));
        try (SyslogDaemon daemon = SyslogDaemon.start(socket)) {
            appender.doAppend(event(Level.INFO, "one"));
            assertThat(daemon.nextLine()).endsWith("one");
        }
        try (SyslogDaemon daemon = SyslogDaemon.start(socket)) {
            appender.doAppend(event(Level.INFO, "two"));
            assertThat(daemon.nextLine()).endsWith("two");
        }
        appender.stop();
    }
}
