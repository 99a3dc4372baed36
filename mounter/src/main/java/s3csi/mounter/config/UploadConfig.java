package s3csi.mounter.config;

import org.jspecify.annotations.Nullable;
import s3csi.s3.UploadChecksum;

/**
 * How objects are made.
 *
 * @param storageClass null for the store's default
 * @param encryption null for what the bucket is set to
 */
public record UploadConfig(
        @Nullable String storageClass,
        @Nullable ServerSideEncryption encryption,
        UploadChecksum checksum,
        boolean inferContentType) {
    /**
     * What the store shall encrypt with.
     *
     * @param keyId null for the key of the store
     */
    public record ServerSideEncryption(
            String algorithm, @Nullable String keyId) {}
}
