package s3csi.mounter.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.LoggerFactory;
import s3csi.mounter.config.LogConfig;
import s3csi.mounter.config.LogConfig.Destination;
import s3csi.mounter.config.StartFailure;

/** The log of this process, set up once at the start. */
public final class MountLog {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(MountLog.class);

    private final LoggerContext loggers;
    private final LogFilter byDefault;
    private int verbosity;

    private MountLog(LoggerContext loggers, LogFilter byDefault) {
        this.loggers = loggers;
        this.byDefault = byDefault;
    }

    /**
     * Sends lines where the settings say, and nowhere else.
     *
     * @param console where lines go besides, in the foreground
     */
    public static MountLog start(LogConfig config, List<OutputStream> console) throws StartFailure {
        Uncaught.log();
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext loggers)) {
            throw new IllegalStateException("logback is not on the class path");
        }
        List<Appender<ILoggingEvent>> appenders = new ArrayList<>();
        switch (config.destination()) {
            case Destination.Syslog() -> appenders.add(new SyslogAppender(SyslogAppender.SOCKET, pid()));
            case Destination.Directory(var path) -> {
                try {
                    appenders.add(text(loggers, LogFile.create(path, Instant.now(), ThreadLocalRandom.current())));
                } catch (IOException e) {
                    throw new StartFailure("failed to create a log file in " + path, e);
                }
            }
            case Destination.Console(), Destination.Nowhere() -> {}
        }
        if (!(config.destination() instanceof Destination.Nowhere)) {
            console.forEach(stream -> appenders.add(text(loggers, stream)));
        }
        replaceAppenders(loggers, FloodGate.before(started(loggers, appenders)));
        return withLevels(loggers, config);
    }

    /** Why nobody will see the lines of a process in the background; empty if somebody will, or asked for none. */
    public static Optional<String> lossInBackground(LogConfig config) {
        return config.destination() instanceof Destination.Syslog
                ? SyslogAppender.absence(SyslogAppender.SOCKET)
                : Optional.empty();
    }

    private static MountLog withLevels(LoggerContext loggers, LogConfig config) {
        LogFilter filter = LogFilter.of(config);
        String expression = config.filter();
        try {
            filter = expression == null ? filter : LogFilter.parse(expression);
            filter.apply(loggers);
        } catch (IllegalArgumentException e) {
            filter.apply(loggers);
            LOG.warn("MOUNTPOINT_LOG is ignored: {}", e.getMessage());
        }
        return new MountLog(loggers, filter);
    }

    private static List<Appender<ILoggingEvent>> started(
            LoggerContext loggers, List<Appender<ILoggingEvent>> appenders) {
        for (Appender<ILoggingEvent> appender : appenders) {
            appender.setContext(loggers);
            appender.start();
        }
        return appenders;
    }

    private static void replaceAppenders(LoggerContext loggers, FloodGate gate) {
        Logger root = loggers.getLogger(Logger.ROOT_LOGGER_NAME);
        List<Appender<ILoggingEvent>> before = new ArrayList<>();
        root.iteratorForAppenders().forEachRemaining(before::add);
        // Taken off but not stopped: stopping would close standard error.
        before.forEach(root::detachAppender);
        gate.setContext(loggers);
        gate.start();
        root.addAppender(gate);
    }

    private static Appender<ILoggingEvent> text(LoggerContext loggers, OutputStream stream) {
        TextLine line = new TextLine();
        line.setContext(loggers);
        line.start();
        OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
        appender.setContext(loggers);
        appender.setEncoder(line);
        appender.setOutputStream(stream);
        return appender;
    }

    private static long pid() {
        return ProcessHandle.current().pid();
    }

    /** The next of five levels: as started, debug and trace of the file system without and with the S3 client. */
    public synchronized void nextVerbosity() {
        verbosity = (verbosity + 1) % 5;
        LogFilter filter = switch (verbosity) {
            case 1 -> LogFilter.of(Level.DEBUG, Level.OFF, true);
            case 2 -> LogFilter.of(Level.DEBUG, Level.DEBUG, true);
            case 3 -> LogFilter.of(Level.TRACE, Level.OFF, true);
            case 4 -> LogFilter.of(Level.TRACE, Level.TRACE, true);
            default -> byDefault;
        };
        filter.apply(loggers);
        LOG.warn("log levels changed to {}", filter.levels());
    }
}
