package s3csi.mounter.config;

import java.nio.file.Path;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * How the process behaves.
 *
 * @param isFstab whether mount(8) started it
 * @param metricsPort for Prometheus; empty for none
 * @param pidFile null for none
 */
public record ProcessConfig(
        boolean foreground,
        boolean isFstab,
        OptionalInt metricsPort,
        @Nullable Path pidFile) {}
