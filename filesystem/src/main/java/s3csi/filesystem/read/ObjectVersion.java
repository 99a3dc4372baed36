package s3csi.filesystem.read;

import s3csi.s3.ByteRange;
import s3csi.s3.ETag;
import s3csi.s3.GetRequest;
import s3csi.s3.Quoted;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;

/** The bytes that an open file stands for: they never change, or reading fails with {@link s3csi.s3.StoreFailure.PreconditionFailed}. */
public record ObjectVersion(String key, ETag etag, long size) {
    public ObjectVersion {
        if (size < 0) {
            throw new IllegalArgumentException("an object cannot have a size of " + size);
        }
    }

    /** Asks for bytes of this very object. */
    GetRequest get(ByteRange range) {
        return new GetRequest(key, range, etag, size);
    }

    /** What is to be said when the store sent fewer bytes than the object has. */
    StoreException missingBytes() {
        return new StoreException(
                new StoreFailure.Integrity(),
                StoreOperation.GET_OBJECT,
                StoreException.Answer.NONE,
                "the store has not the " + size + " bytes of " + Quoted.text(key)
                        + " that it promised; it may have been replaced without a new ETag");
    }
}
