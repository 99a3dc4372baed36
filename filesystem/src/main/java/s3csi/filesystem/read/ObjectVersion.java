package s3csi.filesystem.read;

import s3csi.s3.ETag;

/** The bytes that an open file stands for: they never change, or reading fails with {@link s3csi.s3.StoreFailure.PreconditionFailed}. */
public record ObjectVersion(String key, ETag etag, long size) {
    public ObjectVersion {
        if (size < 0) {
            throw new IllegalArgumentException("an object cannot have a size of " + size);
        }
    }
}
