package s3csi.s3;

import org.jspecify.annotations.Nullable;

/**
 * Why a request to the store failed for good: after retries, where retrying makes sense.
 *
 * <p>A switch over these needs no {@code default}; a new kind then does not compile until every switch knows it.
 */
public sealed interface StoreFailure {
    /** No object has the key; also a bare 404 to HEAD, which cannot tell it from a missing bucket. */
    record NoSuchKey(String key) implements StoreFailure {}

    record NoSuchBucket(String bucket) implements StoreFailure {}

    /** The multipart upload was completed or aborted by somebody else, or never existed. */
    record NoSuchUpload(String key) implements StoreFailure {}

    /** The store knows us and does not let us, or does not accept who we say we are. */
    record Forbidden(Reason reason) implements StoreFailure {
        public enum Reason {
            ACCESS_DENIED,
            UNKNOWN_ACCESS_KEY,
            WRONG_SECRET_KEY,
            EXPIRED_TOKEN,
            CLOCK_SKEW,
            /** The account that owns the bucket is not the expected one. */
            OTHER
        }
    }

    /** There is nothing to sign with. */
    record NoCredentials() implements StoreFailure {}

    /** The object is archived and has to be restored before it can be read. */
    record Archived() implements StoreFailure {}

    /** The object is not in the state that the request asked for: changed, or already there. */
    record PreconditionFailed() implements StoreFailure {}

    /** The range begins behind the end of the object. */
    record RangeNotSatisfiable() implements StoreFailure {}

    /** The store asked to slow down until the attempts were used up. */
    record Throttled() implements StoreFailure {}

    /** The store does not know this request. */
    record NotImplemented() implements StoreFailure {}

    /** The bucket is served elsewhere; the region is null when the store did not name it. */
    record WrongRegion(@Nullable String region) implements StoreFailure {}

    /** Bytes are not what they should be: a checksum, a length, a range or an echoed setting differs. */
    record Integrity() implements StoreFailure {}

    /** The name does not resolve, nobody listens, or connections keep breaking. */
    record Unreachable() implements StoreFailure {}

    /** Connected, but no answer or no progress in time. */
    record Timeout() implements StoreFailure {}

    /** The server's certificate is expired, for another name, or of an unknown authority. */
    record CertificateNotTrusted() implements StoreFailure {}

    /** The calling thread was interrupted (its interrupt flag stays set) or the store was closed. */
    record Cancelled() implements StoreFailure {}

    /** The store failed inside (5xx) until the attempts were used up. */
    record ServerError() implements StoreFailure {}

    /** The store refused the request as it stands, for example a key too long or a part too small. */
    record Rejected() implements StoreFailure {}

    /** The answer is not HTTP or not what S3 answers. */
    record Protocol() implements StoreFailure {}
}
