package s3csi.mounter.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How the process behaves.
 *
 * @param isFstab whether mount(8) started it
 * @param autoUnmount whether somebody shall unmount should it die
 * @param pidFile null for none
 */
public record ProcessConfig(
        boolean foreground,
        boolean isFstab,
        boolean autoUnmount,
        @Nullable Path pidFile) {}
