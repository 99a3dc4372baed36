package s3csi.mounter.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets a flood of warnings through as a trickle: any user of a mount can make calls that fail, as many as he likes.
 *
 * <p>Of each kind of warning the first ones of a minute are written as they come. The rest is counted, and the count is written when the minute
 * ends. A kind is what a line of code says, whatever it says it about. Errors, such as a file that was not stored, are never left out but for the
 * very text that was written in the same minute.
 */
final class FloodGate extends UnsynchronizedAppenderBase<ILoggingEvent> {
    static final int LINES = 20;
    static final Duration MINUTE = Duration.ofMinutes(1);

    /** More kinds than there are; those beyond share one, so that they are bounded whatever happens. */
    private static final int MOST_KINDS = 500;

    /** So many errors are remembered to know whether they were written; those beyond are written again. */
    private static final int MOST_TEXTS = 1000;

    /** Runs something once after a while. */
    interface Alarm {
        void after(Duration pause, Runnable action);
    }

    private record Kind(String logger, Level level, String pattern) {
        static final Kind ANY_OTHER = new Kind("", Level.WARN, "");

        static Kind of(ILoggingEvent event) {
            return new Kind(event.getLoggerName(), event.getLevel(), event.getMessage());
        }
    }

    /** What happened to one kind in this minute. */
    private static final class Count {
        private int written;
        private long leftOut;
        private @Nullable ILoggingEvent last;
        private final Set<String> errors = new HashSet<>();

        boolean isWritten(ILoggingEvent event) {
            boolean isNewError =
                    isError(event) && (errors.size() >= MOST_TEXTS || errors.add(event.getFormattedMessage()));
            if (written < LINES || isNewError) {
                written++;
                return true;
            }
            leftOut++;
            last = event;
            return false;
        }

        private static boolean isError(ILoggingEvent event) {
            return event.getLevel().isGreaterOrEqual(Level.ERROR);
        }
    }

    private final List<Appender<ILoggingEvent>> behind;
    private final Alarm alarm;

    /** Guarded by itself. Empty until the first warning of a minute. */
    private final Map<Kind, Count> minute = new HashMap<>();

    FloodGate(List<Appender<ILoggingEvent>> behind, Alarm alarm) {
        this.behind = List.copyOf(behind);
        this.alarm = alarm;
    }

    static FloodGate before(List<Appender<ILoggingEvent>> behind) {
        return new FloodGate(
                behind,
                (pause, action) -> Thread.ofVirtual().name("log-minute").start(() -> {
                    try {
                        Thread.sleep(pause);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    action.run();
                }));
    }

    @Override
    protected void append(ILoggingEvent event) {
        // Details are written only where somebody asked for them, and then for all.
        if (!event.getLevel().isGreaterOrEqual(Level.WARN) || counts(event)) {
            pass(event);
        }
    }

    private boolean counts(ILoggingEvent event) {
        synchronized (minute) {
            if (minute.isEmpty()) {
                alarm.after(MINUTE, this::endMinute);
            }
            Kind kind = Kind.of(event);
            boolean isKnown = minute.containsKey(kind) || minute.size() < MOST_KINDS;
            return minute.computeIfAbsent(isKnown ? kind : Kind.ANY_OTHER, _ -> new Count())
                    .isWritten(event);
        }
    }

    /** Writes what was counted, and begins anew with the next warning. */
    void endMinute() {
        List<ILoggingEvent> sums = new ArrayList<>();
        synchronized (minute) {
            minute.values().forEach(count -> {
                if (count.last != null) {
                    sums.add(sum(count.leftOut, count.last));
                }
            });
            minute.clear();
        }
        sums.forEach(this::pass);
    }

    private ILoggingEvent sum(long leftOut, ILoggingEvent last) {
        Logger logger = ((ch.qos.logback.classic.LoggerContext) getContext()).getLogger(last.getLoggerName());
        return new LoggingEvent(
                FloodGate.class.getName(),
                logger,
                last.getLevel(),
                "and {} more like this in the last minute, the last one: {}",
                null,
                new Object[] {leftOut, last.getFormattedMessage()});
    }

    private void pass(ILoggingEvent event) {
        behind.forEach(each -> each.doAppend(event));
    }
}
