package s3csi.program;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import org.slf4j.event.KeyValuePair;

/** One event as one line of JSON. */
final class LogLine extends EncoderBase<ILoggingEvent> {
    private static final byte[] NOTHING = {};

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
        StringBuilder line = new StringBuilder(200).append("{\"ts\":").append(event.getTimeStamp());
        line.append(",\"level\":\"").append(level(event.getLevel())).append('"');
        line.append(",\"v\":").append(LogSetup.verbosityOf(event.getLevel()));
        member(line, "caller", simpleName(event.getLoggerName()));
        member(line, "msg", event.getFormattedMessage());
        if (event.getKeyValuePairs() != null) {
            for (KeyValuePair pair : event.getKeyValuePairs()) {
                member(line, pair.key, String.valueOf(pair.value));
            }
        }
        if (event.getThrowableProxy() != null) {
            member(line, "err", ThrowableProxyUtil.asString(event.getThrowableProxy()));
        }
        return line.append("}\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void member(StringBuilder line, String key, String value) {
        line.append(',');
        JsonText.string(line, key);
        line.append(':');
        JsonText.string(line, value);
    }

    private static String level(Level level) {
        return level.isGreaterOrEqual(Level.ERROR) ? "error" : level.isGreaterOrEqual(Level.WARN) ? "warning" : "info";
    }

    private static String simpleName(String logger) {
        return logger.substring(logger.lastIndexOf('.') + 1);
    }
}
