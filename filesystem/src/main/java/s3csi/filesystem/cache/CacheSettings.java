package s3csi.filesystem.cache;

import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Where and how much.
 *
 * @param directory of the user; the cache makes one of its own in it
 * @param limit bytes on disk; without it, 5 % of the file system are kept free
 * @param partition keeps the blocks of one user of a directory apart from others; null for the plain directory
 */
public record CacheSettings(
        Path directory, OptionalLong limit, @Nullable String partition) {
    public CacheSettings {
        if (limit.isPresent() && limit.getAsLong() < DiskCache.BLOCK_SIZE) {
            throw new IllegalArgumentException("a cache of " + limit.getAsLong()
                    + " bytes cannot hold a single block; give" + " at least " + DiskCache.BLOCK_SIZE + " bytes");
        }
    }

    /** All of the directory's file system but 5 %. */
    public static CacheSettings in(Path directory) {
        return new CacheSettings(directory, OptionalLong.empty(), null);
    }

    public CacheSettings withLimit(long bytes) {
        return new CacheSettings(directory, OptionalLong.of(bytes), partition);
    }

    public CacheSettings withPartition(String name) {
        return new CacheSettings(directory, limit, name);
    }
}
