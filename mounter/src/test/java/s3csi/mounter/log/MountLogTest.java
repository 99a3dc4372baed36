package s3csi.mounter.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import s3csi.mounter.config.LogConfig;
import s3csi.mounter.config.LogConfig.Destination;
import s3csi.mounter.config.StartFailure;

final class MountLogTest {
    private static final LoggerContext LOGGERS = (LoggerContext) LoggerFactory.getILoggerFactory();

    private final ByteArrayOutputStream console = new ByteArrayOutputStream();
    private final List<Appender<ILoggingEvent>> before = new ArrayList<>();

    @TempDir
    private Path scratch;

    @BeforeEach
    void remember() {
        root().iteratorForAppenders().forEachRemaining(before::add);
    }

    @AfterEach
    void restore() {
        List<Appender<ILoggingEvent>> now = new ArrayList<>();
        root().iteratorForAppenders().forEachRemaining(now::add);
        now.forEach(root()::detachAppender);
        before.forEach(root()::addAppender);
    }

    private static Logger root() {
        return LOGGERS.getLogger(Logger.ROOT_LOGGER_NAME);
    }

    private static LogConfig config(Destination destination, boolean debug, @Nullable String filter) {
        return new LogConfig(destination, debug, false, debug, filter);
    }

    private String printed() {
        return console.toString(StandardCharsets.UTF_8);
    }

    private static void speak(String logger) {
        org.slf4j.Logger log = LoggerFactory.getLogger(logger);
        log.error("{} error", logger);
        log.warn("{} warn", logger);
        log.info("{} info", logger);
        log.debug("{} debug", logger);
        log.trace("{} trace", logger);
    }

    @Test
    void aLineHasTimeLevelThreadTargetMessageAndFields() throws Exception {
        MountLog.start(config(new Destination.Syslog(), false, null), List.of(console));
        LoggerFactory.getLogger("s3csi.x")
                .atWarn()
                .addKeyValue("key", "a\nb")
                .setCause(new IllegalStateException("outer", new IllegalStateException("inner")))
                .log("it failed\u001b[31m");

        assertThat(printed())
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z  WARN main s3csi\\.x: "
                        + "it failed\\\\u001b\\[31m key=a\\\\nb: outer: inner\n");
    }

    @Test
    void byDefaultTheEngineInformsAndOthersWarn() throws Exception {
        MountLog.start(config(new Destination.Syslog(), false, null), List.of(console));
        List.of("other", "s3csi.filesystem", LogFilter.METRICS).forEach(MountLogTest::speak);

        assertThat(printed())
                .contains("other warn", "s3csi.filesystem info")
                .doesNotContain("other info", "s3csi.filesystem debug", "metrics error");
    }

    @Test
    void debugShowsDetailsOfTheEngineButNotOfTheClient() throws Exception {
        MountLog.start(config(new Destination.Syslog(), true, null), List.of(console));
        List.of("s3csi.filesystem", "s3csi.s3.http", LogFilter.METRICS).forEach(MountLogTest::speak);

        assertThat(printed())
                .contains("s3csi.filesystem debug", "s3csi.s3.http info", "metrics info")
                .doesNotContain("s3csi.filesystem trace", "s3csi.s3.http debug");
    }

    @Test
    void aFilterReplacesWhatTheFlagsSay() throws Exception {
        MountLog.start(
                config(new Destination.Syslog(), true, "error,awscrt=trace, mountpoint_s3=warn"), List.of(console));
        List.of("other", "s3csi.filesystem", "s3csi.s3.http").forEach(MountLogTest::speak);

        assertThat(printed())
                .contains("other error", "s3csi.filesystem warn", "s3csi.s3.http trace")
                .doesNotContain("other warn", "s3csi.filesystem info");
    }

    @Test
    void aFilterThatIsNoneIsIgnoredWithAWarning() throws Exception {
        MountLog.start(config(new Destination.Syslog(), false, "loud"), List.of(console));
        speak("s3csi.filesystem");

        assertThat(printed()).contains("WARN", "MOUNTPOINT_LOG is ignored: 'loud'", "s3csi.filesystem info");
    }

    @Test
    void noLogMeansNoLine() throws Exception {
        MountLog.start(config(new Destination.Nowhere(), false, null), List.of(console));
        speak("s3csi.filesystem");

        assertThat(printed()).isEmpty();
    }

    @Test
    void aRunWritesOneFileThatOthersCannotRead() throws Exception {
        Path directory = scratch.resolve("a/logs");
        MountLog.start(config(new Destination.Directory(directory), false, null), List.of());
        speak("s3csi.filesystem");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwxr-x---");
        try (Stream<Path> files = Files.list(directory)) {
            Path file = files.toList().getFirst();
            assertThat(file.getFileName().toString())
                    .matches("mountpoint-s3-\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\dZ\\.[A-Za-z0-9]{6}\\.log");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-r-----");
            assertThat(file).content().contains("s3csi.filesystem info");
        }
    }

    @Test
    void aFileThatCannotBeMadeIsFatal() throws Exception {
        Path file = Files.createFile(scratch.resolve("file"));
        assertThatExceptionOfType(StartFailure.class)
                .isThrownBy(() -> MountLog.start(config(new Destination.Directory(file), false, null), List.of()))
                .withMessageContaining("failed to create a log file in " + file);
    }

    @Test
    void verbosityGoesRoundInFiveSteps() throws Exception {
        MountLog log = MountLog.start(config(new Destination.Syslog(), false, null), List.of(console));
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            console.reset();
            speak("s3csi.filesystem");
            speak("s3csi.s3");
            shown.add((printed().contains("filesystem debug") ? "d" : "")
                    + (printed().contains("filesystem trace") ? "t" : "")
                    + (printed().contains("s3csi.s3 debug") ? "D" : "")
                    + (printed().contains("s3csi.s3 trace") ? "T" : ""));
            log.nextVerbosity();
        }
        assertThat(shown).containsExactly("", "d", "dD", "dt", "dtDT", "");
    }
}
