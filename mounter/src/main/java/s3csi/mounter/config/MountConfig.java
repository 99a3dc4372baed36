package s3csi.mounter.config;

import java.util.List;
import s3csi.filesystem.FileSystemConfig;
import s3csi.fuse.AccessRule;

/**
 * All about one mount.
 *
 * @param files what the file system shall be; how much memory it gets is found out when the mount is made
 * @param access who is let in
 * @param warnings what the user should know about the way it was asked for
 */
public record MountConfig(
        BucketSource source,
        MountPoint mountPoint,
        StoreConfig store,
        UploadConfig upload,
        FileSystemConfig files,
        AccessRule access,
        ClientConfig client,
        LogConfig log,
        MetricsConfig metrics,
        ProcessConfig process,
        List<String> warnings) {
    public MountConfig {
        warnings = List.copyOf(warnings);
    }

    public MountConfig withLog(LogConfig other) {
        return new MountConfig(
                source, mountPoint, store, upload, files, access, client, other, metrics, process, warnings);
    }
}
