package s3csi.mounter.log;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the log that a thread ended by an exception that nothing caught: in the background nobody sees standard error. */
public final class Uncaught {
    private static final Logger LOG = LoggerFactory.getLogger(Uncaught.class);

    private Uncaught() {}

    public static void log() {
        Thread.setDefaultUncaughtExceptionHandler((thread, cause) -> {
            if (cause instanceof OutOfMemoryError) {
                // Without a trace, which would need memory itself.
                LOG.error("{} ended because memory ran out: {}", thread.getName(), String.valueOf(cause.getMessage()));
            } else {
                LOG.error("{} ended by a fault in this program", thread.getName(), cause);
            }
        });
    }
}
