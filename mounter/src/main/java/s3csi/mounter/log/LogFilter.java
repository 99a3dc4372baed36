package s3csi.mounter.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import s3csi.mounter.config.LogConfig;

/**
 * Which lines are written: levels by the name of what logs, where a longer name wins.
 *
 * <p>As text it is what {@code MOUNTPOINT_LOG} holds: {@code info} for everything, {@code target=debug} for a part, separated by commas.
 * The targets of mount-s3 stand for ours, so that recipes for it keep working.
 */
public record LogFilter(Map<String, Level> levels) {
    static final String ENGINE = "s3csi";
    static final String CLIENT = "s3csi.s3";
    /** The logger that metrics are written to. */
    public static final String METRICS = "s3csi.metrics";

    private static final Map<String, Level> NAMES = Map.of(
            "off", Level.OFF,
            "error", Level.ERROR,
            "warn", Level.WARN,
            "info", Level.INFO,
            "debug", Level.DEBUG,
            "trace", Level.TRACE);

    public LogFilter {
        levels = Map.copyOf(levels);
    }

    /** Warnings of everything, and what the file system and the S3 client tell beyond that. */
    static LogFilter of(LogConfig config) {
        return of(
                config.debugEngine() ? Level.DEBUG : Level.INFO,
                config.debugHttp() ? Level.DEBUG : Level.INFO,
                config.metrics());
    }

    static LogFilter of(Level engine, Level client, boolean metrics) {
        return new LogFilter(Map.of(
                Logger.ROOT_LOGGER_NAME,
                Level.WARN,
                ENGINE,
                engine,
                CLIENT,
                client,
                METRICS,
                metrics ? Level.INFO : Level.OFF));
    }

    /** Reads the text form. */
    static LogFilter parse(String text) {
        Map<String, Level> levels = new LinkedHashMap<>();
        levels.put(Logger.ROOT_LOGGER_NAME, Level.OFF);
        for (String directive : text.split(",", -1)) {
            int equals = directive.indexOf('=');
            String target = equals < 0 ? "" : directive.substring(0, equals).strip();
            String name = directive.substring(equals + 1).strip().toLowerCase(Locale.ROOT);
            if (directive.isBlank()) {
                continue;
            }
            Level level = NAMES.get(name);
            if (level == null) {
                throw new IllegalArgumentException(
                        "'" + directive + "' is not a log filter; write a level (off, error, warn,"
                                + " info, debug, trace) or target=level");
            }
            levels.put(logger(target), level);
        }
        return new LogFilter(levels);
    }

    private static String logger(String target) {
        if (target.isEmpty()) {
            return Logger.ROOT_LOGGER_NAME;
        }
        if (target.startsWith("awscrt") || target.startsWith("mountpoint_s3_client")) {
            return CLIENT;
        }
        if (target.startsWith("metrics") || target.startsWith("mountpoint_s3_fs::metrics")) {
            return METRICS;
        }
        return target.startsWith("mountpoint_s3") || target.startsWith("fuser") ? ENGINE : target;
    }

    /** Puts the levels in force; names that an earlier filter set fall back to what is above them. */
    void apply(LoggerContext loggers) {
        for (Logger logger : loggers.getLoggerList()) {
            if (!logger.getName().equals(Logger.ROOT_LOGGER_NAME)) {
                logger.setLevel(null);
            }
        }
        levels.forEach((name, level) -> loggers.getLogger(name).setLevel(level));
    }
}
