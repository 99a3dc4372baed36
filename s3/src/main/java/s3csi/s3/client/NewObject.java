package s3csi.s3.client;

import org.jspecify.annotations.Nullable;
import s3csi.s3.ObjectAttributes;
import s3csi.s3.http.ResponseHead;

/** What new objects carry besides their bytes, as headers, and whether the store took it to heart. */
record NewObject(
        @Nullable String contentType,
        @Nullable String storageClass,
        @Nullable Encryption encryption) {
    private static final String ALGORITHM = "x-amz-server-side-encryption";
    private static final String KEY = "x-amz-server-side-encryption-aws-kms-key-id";

    static NewObject of(ObjectAttributes attributes, HttpStoreOptions options) {
        return new NewObject(attributes.contentType(), options.storageClass, options.encryption);
    }

    S3Request describe(S3Request request) {
        request.header("content-type", contentType).header("x-amz-storage-class", storageClass);
        if (encryption != null) {
            request.header(ALGORITHM, encryption.algorithm()).header(KEY, encryption.keyId());
        }
        return request;
    }

    /** A store that ignores the wish for encryption must not get away with it. */
    void checkEncryption(ResponseHead head) throws AttemptFailure {
        if (encryption == null) {
            return;
        }
        String algorithm = head.headerOrEmpty(ALGORITHM);
        String key = head.header(KEY);
        boolean otherKey = encryption.keyId() != null && key != null && !key.equals(encryption.keyId());
        if (!algorithm.equals(encryption.algorithm()) || otherKey) {
            throw AttemptFailure.integrity("the store did not encrypt the object with " + encryption.algorithm()
                    + (encryption.keyId() == null ? "" : " and the key that was asked for")
                    + "; check its support for server-side encryption");
        }
    }
}
