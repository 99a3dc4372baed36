package s3csi.s3.client;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.s3.ETag;
import s3csi.s3.Quoted;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;

/**
 * Decides whether a write took effect that failed in the end, but had an attempt before whose answer was lost or told nothing. Its
 * repetition may fail because of it: the object is there already, the upload is gone. Most stores make the ETag of the MD5 of the
 * bytes, or of those of the parts, which proves it; where they do not, the failure stands.
 */
record LostAnswers(RequestRunner runner) {
    private static final Logger LOG = LoggerFactory.getLogger(LostAnswers.class);

    /** The ETag of the object if it is the expected one; null when nothing is proved. */
    @Nullable
    ETag find(StoreException failure, String key, Supplier<@Nullable ETag> expected) {
        if (!isWorthALook(failure.failure())) {
            return null;
        }
        try {
            ETag there = runner.run(new HeadCall(key)).etag();
            ETag ours = expected.get();
            if (there != null && ours != null && there.text().equalsIgnoreCase(ours.text())) {
                LOG.info("{} was stored although an answer was lost: {}", Quoted.text(key), failure.getMessage());
                return there;
            }
        } catch (StoreException e) {
            failure.addSuppressed(e);
        }
        return null;
    }

    private static boolean isWorthALook(StoreFailure failure) {
        return switch (failure) {
            // Whoever asked does not wait any longer.
            case StoreFailure.Cancelled _ -> false;
            // What is there is known to be wrong, for example not encrypted.
            case StoreFailure.Integrity _ -> false;
            case StoreFailure.PreconditionFailed _,
                    StoreFailure.NoSuchUpload _,
                    StoreFailure.NoSuchKey _,
                    StoreFailure.Unreachable _,
                    StoreFailure.Timeout _,
                    StoreFailure.NoSuchBucket _,
                    StoreFailure.Forbidden _,
                    StoreFailure.NoCredentials _,
                    StoreFailure.Archived _,
                    StoreFailure.RangeNotSatisfiable _,
                    StoreFailure.Throttled _,
                    StoreFailure.NotImplemented _,
                    StoreFailure.WrongRegion _,
                    StoreFailure.CertificateNotTrusted _,
                    StoreFailure.ServerError _,
                    StoreFailure.Rejected _,
                    StoreFailure.Protocol _ -> true;
        };
    }
}
