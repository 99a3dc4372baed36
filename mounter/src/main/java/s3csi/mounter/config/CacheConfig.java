package s3csi.mounter.config;

import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of the bucket.
 *
 * @param directory for data; null to keep none
 * @param key makes the cache directory one's own; null without one
 * @param maxBytes of data; empty to fill the file system but for 5 %
 */
public record CacheConfig(
        @Nullable Path directory,
        @Nullable String key,
        OptionalLong maxBytes,
        TimeToLive metadata,
        TimeToLive negative) {}
