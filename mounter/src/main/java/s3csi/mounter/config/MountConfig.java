package s3csi.mounter.config;

import java.util.List;

/**
 * All about one mount.
 *
 * @param warnings what the user should know about the way it was asked for
 */
public record MountConfig(
        BucketSource source,
        MountPoint mountPoint,
        StoreConfig store,
        UploadConfig upload,
        FilesConfig files,
        ClientConfig client,
        LogConfig log,
        MetricsConfig metrics,
        CacheConfig cache,
        ProcessConfig process,
        List<String> warnings) {
    public MountConfig {
        warnings = List.copyOf(warnings);
    }

    public MountConfig withLog(LogConfig other) {
        return new MountConfig(
                source, mountPoint, store, upload, files, client, other, metrics, cache, process, warnings);
    }
}
