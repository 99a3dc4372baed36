package s3csi.program;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * Sets logging up in code, found by logback as a service: no configuration file to parse at start-up.
 *
 * <p>Verbosity is a number as in other Kubernetes programs ({@code --v}): 4 and more shows each CSI call, 5 and more details
 * of what happens below. Libraries speak only when something is wrong, and from 6 on of what they do, but never in detail: what they send
 * and receive holds keys.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {
    /** From here on, debug messages show: every CSI call among them. */
    private static final int CALLS = 4;

    private static final int DETAILS = 5;
    private static final int LIBRARIES = 6;

    /** What the SDK tells of each request: names of headers, but no values. */
    static final String REQUESTS = "software.amazon.awssdk.request";

    @Override
    public ExecutionStatus configure(LoggerContext loggers) {
        LogLine line = new LogLine();
        line.setContext(loggers);
        line.start();
        OutputStreamAppender<ILoggingEvent> standardError = new OutputStreamAppender<>();
        standardError.setContext(loggers);
        standardError.setEncoder(line);
        standardError.setOutputStream(System.err);
        standardError.start();
        loggers.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(standardError);
        // gRPC and the JDK log through java.util.logging; their lines take the same way as all others.
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
        setLevels(loggers, 0);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    public static void verbosity(int v) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext loggers) {
            setLevels(loggers, v);
        }
    }

    private static void setLevels(LoggerContext loggers, int v) {
        // No further: gRPC would show the frames of calls, HTTP clients what goes over the wire, signers the headers
        // they sign.
        loggers.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(v >= LIBRARIES ? Level.INFO : Level.WARN);
        loggers.getLogger(REQUESTS).setLevel(v >= LIBRARIES ? Level.DEBUG : Level.WARN);
        // Netty warns about socket options that Unix sockets do not have, once for each connection.
        loggers.getLogger("io.netty").setLevel(v >= LIBRARIES ? Level.INFO : Level.ERROR);
        loggers.getLogger("s3csi").setLevel(v >= DETAILS ? Level.TRACE : v >= CALLS ? Level.DEBUG : Level.INFO);
    }

    static int verbosityOf(Level level) {
        return level.isGreaterOrEqual(Level.INFO) ? 0 : level.isGreaterOrEqual(Level.DEBUG) ? CALLS : DETAILS;
    }
}
