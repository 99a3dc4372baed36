package s3csi.mounter.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.slf4j.event.KeyValuePair;

/** One event as one line for people: time, level, thread, target, message and its fields. */
final class TextLine extends EncoderBase<ILoggingEvent> {
    private static final byte[] NOTHING = {};
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(200);
        TIME.formatTo(event.getInstant(), line);
        String level = event.getLevel().toString();
        line.append(' ').repeat(' ', 5 - level.length()).append(level).append(' ');
        body(line, event);
        line.append('\n');
        // Only what should not happen is worth the place.
        if (event.getThrowableProxy() != null && event.getLevel().isGreaterOrEqual(Level.ERROR)) {
            line.append(ThrowableProxyUtil.asString(event.getThrowableProxy()));
        }
        return line.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** What a line of syslog has too. */
    static void body(StringBuilder line, ILoggingEvent event) {
        String thread = event.getThreadName();
        line.append(thread.isEmpty() ? "virtual" : thread).append(' ');
        line.append(event.getLoggerName()).append(": ");
        printable(line, event.getFormattedMessage());
        if (event.getKeyValuePairs() != null) {
            for (KeyValuePair pair : event.getKeyValuePairs()) {
                line.append(' ').append(pair.key).append('=');
                printable(line, String.valueOf(pair.value));
            }
        }
        for (IThrowableProxy cause = event.getThrowableProxy(); cause != null; cause = cause.getCause()) {
            line.append(": ");
            printable(line, cause.getMessage() == null ? cause.getClassName() : cause.getMessage());
        }
    }

    /** Keys and server texts are not ours: whatever they hold, an event stays one line and does not steer a terminal. */
    private static void printable(StringBuilder line, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c >= ' ' && c < 0x7f) || (c >= 0xa0 && c != '\u2028' && c != '\u2029')) {
                line.append(c);
            } else if (c == '\n') {
                line.append("\\n");
            } else {
                line.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            }
        }
    }
}
