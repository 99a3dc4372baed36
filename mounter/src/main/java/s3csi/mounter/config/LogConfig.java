package s3csi.mounter.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What is logged, and where.
 *
 * @param debugEngine details of the file system
 * @param debugHttp details of the S3 client
 * @param metrics whether metrics appear as log lines
 * @param filter {@code target=level,...}: replaces what the flags say; null without one
 */
public record LogConfig(
        Destination destination,
        boolean debugEngine,
        boolean debugHttp,
        boolean metrics,
        @Nullable String filter) {
    /** Until somebody asks for more. */
    public static final LogConfig CONSOLE = new LogConfig(new Destination.Console(), false, false, false, null);

    public LogConfig withDestination(Destination other) {
        return new LogConfig(other, debugEngine, debugHttp, metrics, filter);
    }

    /** Where lines go, beside standard output in the foreground. */
    public sealed interface Destination {
        /** Nowhere else: in a container that is the log. */
        record Console() implements Destination {}

        record Syslog() implements Destination {}

        record Directory(Path path) implements Destination {}

        /** Not even standard output. */
        record Nowhere() implements Destination {}
    }
}
