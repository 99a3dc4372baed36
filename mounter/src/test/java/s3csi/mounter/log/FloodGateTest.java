package s3csi.mounter.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class FloodGateTest {
    private final LoggerContext loggers = new LoggerContext();
    private final List<String> written = new ArrayList<>();
    private final List<Runnable> alarms = new ArrayList<>();
    private final Logger log = loggers.getLogger("engine");

    private final AppenderBase<ILoggingEvent> behind = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            written.add(event.getLevel() + " " + event.getFormattedMessage());
        }
    };

    @BeforeEach
    void start() {
        FloodGate gate = new FloodGate(List.of(behind), (pause, action) -> {
            assertThat(pause).isEqualTo(FloodGate.MINUTE);
            alarms.add(action);
        });
        behind.start();
        gate.setContext(loggers);
        gate.start();
        log.addAppender(gate);
        log.setLevel(Level.TRACE);
    }

    private void endMinute() {
        alarms.removeFirst().run();
    }

    private static List<String> numbered(String text, int count) {
        return IntStream.range(0, count).mapToObj(i -> text + i).toList();
    }

    @Test
    void theFirstOfAKindAreWrittenAndTheRestIsCounted() {
        for (int i = 0; i < 1254; i++) {
            log.warn("open failed: {}", i);
        }
        assertThat(written).isEqualTo(numbered("WARN open failed: ", FloodGate.LINES));
        endMinute();
        assertThat(written)
                .hasSize(FloodGate.LINES + 1)
                .last()
                .isEqualTo("WARN and 1234 more like this in the last minute, the last one: open failed: 1253");
    }

    @Test
    void everyMinuteBeginsAnew() {
        for (int minute = 0; minute < 3; minute++) {
            written.clear();
            for (int i = 0; i < 100; i++) {
                log.warn("open failed: {}", i);
            }
            assertThat(written).hasSize(FloodGate.LINES);
            assertThat(alarms).as("one alarm for each minute").hasSize(1);
            endMinute();
        }
    }

    @Test
    void aMinuteWithFewWarningsIsNotSummedUp() {
        log.warn("open failed: {}", 1);
        endMinute();
        assertThat(written).containsExactly("WARN open failed: 1");
        assertThat(alarms).isEmpty();
    }

    @Test
    void oneKindDoesNotHideAnother() {
        for (int i = 0; i < 1000; i++) {
            log.warn("open failed: {}", i);
        }
        log.warn("read failed: {}", 1);
        loggers.getLogger("engine.other").warn("open failed: {}", 2);
        assertThat(written).endsWith("WARN read failed: 1", "WARN open failed: 2");
    }

    @Test
    void kindsWithoutEndAreBoundedToo() {
        for (int i = 0; i < 100_000; i++) {
            log.warn("kind " + i);
        }
        assertThat(written).hasSize(500 + FloodGate.LINES);
        endMinute();
        assertThat(written)
                .last()
                .isEqualTo("WARN and 99480 more like this in the last minute, the last one: kind 99999");
    }

    @Test
    void everyErrorIsWrittenButTheVerySameOnlySoOften() {
        for (int i = 0; i < 3000; i++) {
            log.error("{} was not stored", i);
        }
        assertThat(written).hasSize(3000);
        written.clear();
        for (int i = 0; i < 3000; i++) {
            log.error("fsync failed: {} was not stored", "f");
        }
        assertThat(written).hasSize(FloodGate.LINES).containsOnly("ERROR fsync failed: f was not stored");
        endMinute();
        assertThat(written).last().asString().startsWith("ERROR and 2980 more like this");
    }

    @Test
    void detailsAreForWhoAskedForThem() {
        for (int i = 0; i < 1000; i++) {
            log.info("{}", i);
            log.debug("{}", i);
            log.trace("{}", i);
        }
        assertThat(written).hasSize(3000);
        assertThat(alarms).isEmpty();
    }

    /** Whoever makes stores of a million files fail must not fill our memory with their names. */
    @Test
    void onlySoManyErrorsAreRemembered() {
        for (int i = 0; i < 500; i++) {
            log.error("{} was not stored", i);
        }
        written.clear();
        log.error("{} was not stored", 499);
        assertThat(written).as("what is remembered is not written again").isEmpty();
        for (int i = 500; i < 1000; i++) {
            log.error("{} was not stored", i);
        }
        written.clear();
        log.error("{} was not stored", "f");
        log.error("{} was not stored", "f");
        assertThat(written).containsExactly("ERROR f was not stored", "ERROR f was not stored");
    }
}
