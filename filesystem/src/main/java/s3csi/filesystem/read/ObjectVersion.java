package s3csi.filesystem.read;

import s3csi.s3.ETag;
import s3csi.s3.GetAnswer;
import s3csi.s3.Operation;
import s3csi.s3.Quoted;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;

/** The bytes that an open file stands for: they never change, or reading fails with {@link s3csi.s3.StoreFailure.PreconditionFailed}. */
public record ObjectVersion(String key, ETag etag, long size) {
    public ObjectVersion {
        if (size < 0) {
            throw new IllegalArgumentException("an object cannot have a size of " + size);
        }
    }
    /** Whether an answer is about another object than this one, although the store says that it is of the same version. */
    boolean differsFrom(GetAnswer answer) {
        return answer.object().size() != size;
    }

    /** What is to be said when the store sent other bytes than the object has. */
    StoreException otherBytes() {
        return new StoreException(
                new StoreFailure.Integrity(),
                Operation.GET_OBJECT,
                StoreException.Answer.NONE,
                "the store has not the " + size + " bytes of " + Quoted.text(key)
                        + " that it promised; it may have been replaced without a new ETag");
    }
}
