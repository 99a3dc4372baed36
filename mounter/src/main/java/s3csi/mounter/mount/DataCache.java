package s3csi.mounter.mount;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.cache.CacheSettings;
import s3csi.filesystem.cache.DiskCache;
import s3csi.mounter.config.CacheConfig;
import s3csi.mounter.config.StartFailure;

/** The cache on a local disk, if one was asked for. */
final class DataCache {
    private DataCache() {}

    static @Nullable DiskCache open(CacheConfig config, String bucket) throws StartFailure {
        Path directory = config.directory();
        OptionalLong most = config.maxBytes();
        if (directory == null || (most.isPresent() && most.getAsLong() == 0)) {
            return null;
        }
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new StartFailure("failed to create cache directory " + directory, e);
        }
        return new DiskCache(new CacheSettings(directory, most, config.key()), bucket);
    }
}
