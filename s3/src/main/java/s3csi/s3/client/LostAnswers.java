package s3csi.s3.client;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import s3csi.s3.ETag;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;

/**
 * A write whose answer was lost may have succeeded all the same, and its repetition then fails: the object is there already, the
 * upload is gone. The ETag tells whether what is there is what we wrote.
 */
record LostAnswers(RequestRunner runner) {
    /** The ETag of the object if it is the expected one; null when nothing is proved. */
    @Nullable
    ETag find(StoreException failure, String key, Supplier<@Nullable ETag> expected) {
        boolean isDoubtful = switch (failure.failure()) {
            case StoreFailure.PreconditionFailed _,
                    StoreFailure.NoSuchUpload _,
                    StoreFailure.NoSuchKey _,
                    StoreFailure.Unreachable _,
                    StoreFailure.Timeout _ -> true;
            case StoreFailure.NoSuchBucket _,
                    StoreFailure.Forbidden _,
                    StoreFailure.NoCredentials _,
                    StoreFailure.Archived _,
                    StoreFailure.RangeNotSatisfiable _,
                    StoreFailure.Throttled _,
                    StoreFailure.NotImplemented _,
                    StoreFailure.WrongRegion _,
                    StoreFailure.Integrity _,
                    StoreFailure.CertificateNotTrusted _,
                    StoreFailure.Cancelled _,
                    StoreFailure.ServerError _,
                    StoreFailure.Rejected _,
                    StoreFailure.Protocol _ -> false;
        };
        if (!isDoubtful) {
            return null;
        }
        try {
            ETag there = runner.runOnce(new HeadCall(key)).etag();
            return there != null && there.equals(expected.get()) ? there : null;
        } catch (StoreException e) {
            failure.addSuppressed(e);
            return null;
        }
    }
}
