package s3csi.filesystem.cache;

import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Where and how much.
 *
 * @param directory of the user; the cache makes one of its own in it
 * @param bucket whose blocks these are; others may share the directory
 * @param limit bytes on disk; without it, some of the file system is kept free
 * @param keptFreePercent how much of it
 * @param partition keeps the blocks of one user of a directory apart from others; null for the plain directory
 */
public record CacheSettings(
        Path directory,
        String bucket,
        OptionalLong limit,
        int keptFreePercent,
        @Nullable String partition) {
    /** What mount-s3 keeps. */
    private static final int KEPT_FREE_PERCENT = 5;

    public CacheSettings {
        if (limit.isPresent() && limit.getAsLong() < DiskCache.BLOCK_SIZE) {
            throw new IllegalArgumentException("a cache of " + limit.getAsLong()
                    + " bytes cannot hold a single block; give" + " at least " + DiskCache.BLOCK_SIZE + " bytes");
        }
    }

    /** All of the directory's file system but 5 %. */
    public static CacheSettings in(Path directory, String bucket) {
        return new CacheSettings(directory, bucket, OptionalLong.empty(), KEPT_FREE_PERCENT, null);
    }

    public CacheSettings withLimit(long bytes) {
        return new CacheSettings(directory, bucket, OptionalLong.of(bytes), keptFreePercent, partition);
    }

    public CacheSettings withPartition(String name) {
        return new CacheSettings(directory, bucket, limit, keptFreePercent, name);
    }

    public CacheSettings withKeptFreePercent(int percent) {
        return new CacheSettings(directory, bucket, limit, percent, partition);
    }
}
