package s3csi.mounter.config;

import org.jspecify.annotations.Nullable;
import s3csi.s3.UploadChecksum;
import s3csi.s3.client.Encryption;

/**
 * How objects are made.
 *
 * @param storageClass null for the store's default
 * @param encryption null for what the bucket is set to
 */
public record UploadConfig(
        @Nullable String storageClass, @Nullable Encryption encryption, UploadChecksum checksum) {}
