package s3csi.s3.client;

import org.jspecify.annotations.Nullable;

/**
 * The server-side encryption to ask for.
 *
 * @param algorithm as S3 names it: {@code AES256}, {@code aws:kms}, {@code aws:kms:dsse}
 * @param keyId the key to use; null for the store's own
 */
public record Encryption(String algorithm, @Nullable String keyId) {}
