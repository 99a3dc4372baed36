package s3csi.s3.client;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import s3csi.s3.Quoted;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreFailure.Forbidden;
import s3csi.s3.StoreOperation;
import s3csi.s3.client.AttemptFailure.Remedy;

/** From what a store answers to what it means. S3's own codes first; where there is none, the status has to do. */
final class ErrorClassifier {
    /** Stores tolerate 15 minutes; a clock this far off is suspicious when a HEAD is refused without a word. */
    private static final Duration SUSPICIOUS_SKEW = Duration.ofMinutes(5);

    private final String bucket;

    ErrorClassifier(String bucket) {
        this.bucket = bucket;
    }

    AttemptFailure classify(StoreOperation operation, String key, ErrorAnswer answer, Instant now) {
        AttemptFailure byCode = byCode(operation, key, answer);
        return byCode != null ? byCode : byStatus(operation, key, answer, now);
    }

    private @Nullable AttemptFailure byCode(StoreOperation operation, String key, ErrorAnswer answer) {
        return switch (answer.code()) {
            case "NoSuchKey" -> failed(new StoreFailure.NoSuchKey(key), Remedy.NONE, answer, "no object has this key");
            case "NoSuchBucket" -> noSuchBucket(answer);
            case "NoSuchUpload" ->
                failed(
                        new StoreFailure.NoSuchUpload(key),
                        Remedy.NONE,
                        answer,
                        "the multipart upload was completed or aborted, or never existed");
            case "AccessDenied", "AllAccessDisabled", "AccountProblem" -> accessDenied(answer, Remedy.NONE);
            case "InvalidAccessKeyId" ->
                failed(
                        new Forbidden(Forbidden.Reason.UNKNOWN_ACCESS_KEY),
                        Remedy.RENEW_CREDENTIALS,
                        answer,
                        "the store does not know the access key; check the key id, and that it belongs to this store");
            case "SignatureDoesNotMatch" ->
                failed(
                        new Forbidden(Forbidden.Reason.WRONG_SECRET_KEY),
                        Remedy.RENEW_CREDENTIALS,
                        answer,
                        "the signature does not match; check the secret key");
            // InvalidTokenId is MinIO's word for AWS' InvalidToken.
            case "ExpiredToken", "InvalidToken", "InvalidTokenId", "TokenRefreshRequired" ->
                failed(
                        new Forbidden(Forbidden.Reason.EXPIRED_TOKEN),
                        Remedy.RENEW_CREDENTIALS,
                        answer,
                        "the session token is expired or invalid; renew the credentials");
            case "RequestTimeTooSkewed", "RequestExpired" -> clockSkew(answer);
            case "InvalidObjectState" ->
                failed(
                        new StoreFailure.Archived(),
                        Remedy.NONE,
                        answer,
                        "the object is archived; restore it before reading");
            case "AuthorizationHeaderMalformed",
                    "PermanentRedirect",
                    "TemporaryRedirect",
                    "IllegalLocationConstraintException" -> wrongRegion(answer);
            case "SlowDown", "SlowDownRead", "SlowDownWrite", "TooManyRequests", "RequestLimitExceeded", "Throttling" ->
                failed(new StoreFailure.Throttled(), Remedy.BUSY, answer, "the store asks to slow down");
            case "InternalError", "InternalErrors", "ServiceUnavailable" -> serverError(answer, Remedy.BUSY);
            case "RequestTimeout" ->
                failed(new StoreFailure.Timeout(), Remedy.RETRY, answer, "the store waited too long for our request");
            case "OperationAborted", "ConditionalRequestConflict" ->
                failed(
                        new StoreFailure.PreconditionFailed(),
                        Remedy.RETRY,
                        answer,
                        "another client is changing the same object");
            case "BadDigest", "XAmzContentSHA256Mismatch", "XAmzContentChecksumMismatch" ->
                failed(
                        new StoreFailure.Integrity(),
                        // Bytes may be flipped on their way; a list of parts that does not fit together stays so.
                        operation == StoreOperation.COMPLETE_UPLOAD ? Remedy.NONE : Remedy.RETRY,
                        answer,
                        "what arrived at the store is not what was sent");
            case "NotImplemented", "XNotImplemented" -> notImplemented(answer);
            default -> null;
        };
    }

    private AttemptFailure byStatus(StoreOperation operation, String key, ErrorAnswer answer, Instant now) {
        return switch (answer.status()) {
            case 301, 302, 303, 307, 308 -> wrongRegion(answer);
            case 304, 412 ->
                failed(
                        new StoreFailure.PreconditionFailed(),
                        Remedy.NONE,
                        answer,
                        "the object is not in the state that was asked for");
            case 400 -> answer.region() != null ? wrongRegion(answer) : rejected(answer, doubts(answer));
            case 401, 403 -> forbidden(answer, now);
            case 404 -> notFound(operation, key, answer);
            case 408 ->
                failed(new StoreFailure.Timeout(), Remedy.RETRY, answer, "the store waited too long for our request");
            case 416 ->
                failed(
                        new StoreFailure.RangeNotSatisfiable(),
                        Remedy.NONE,
                        answer,
                        "the range begins behind the end of the object");
            case 429, 503 -> failed(new StoreFailure.Throttled(), Remedy.BUSY, answer, "the store asks to slow down");
            case 500, 502, 504 -> serverError(answer, Remedy.BUSY);
            case 501 -> notImplemented(answer);
            default -> answer.status() >= 500 ? serverError(answer, Remedy.NONE) : rejected(answer, Remedy.NONE);
        };
    }

    private AttemptFailure notFound(StoreOperation operation, String key, ErrorAnswer answer) {
        return switch (operation) {
            case LIST_OBJECTS, LIST_UPLOADS -> noSuchBucket(answer);
            case UPLOAD_PART, COPY_PART, COMPLETE_UPLOAD, ABORT_UPLOAD ->
                failed(new StoreFailure.NoSuchUpload(key), Remedy.NONE, answer, "the store does not know the upload");
            case HEAD_OBJECT, GET_OBJECT, PUT_OBJECT, CREATE_UPLOAD, DELETE_OBJECT, COPY_OBJECT ->
                failed(new StoreFailure.NoSuchKey(key), Remedy.NONE, answer, "no object has this key");
        };
    }

    private AttemptFailure noSuchBucket(ErrorAnswer answer) {
        return failed(
                new StoreFailure.NoSuchBucket(bucket),
                Remedy.NONE,
                answer,
                "the bucket does not exist at this endpoint; create it or correct its name");
    }

    /** HEAD is refused without a body: whether it is the clock has to be guessed from what else is known. */
    private static AttemptFailure forbidden(ErrorAnswer answer, Instant now) {
        Instant date = answer.date();
        if (date != null && Duration.between(now, date).abs().compareTo(SUSPICIOUS_SKEW) > 0) {
            return clockSkew(answer);
        }
        if (answer.code().isEmpty()) {
            return accessDenied(answer, doubts(answer));
        }
        return failed(new Forbidden(Forbidden.Reason.OTHER), Remedy.NONE, answer, "the store refuses: " + said(answer));
    }

    /** A session token that ended early is refused with 400 or 403, and a HEAD has no body that could say so. */
    private static Remedy doubts(ErrorAnswer answer) {
        return answer.code().isEmpty() ? Remedy.SUSPECT_CREDENTIALS : Remedy.NONE;
    }

    private static AttemptFailure accessDenied(ErrorAnswer answer, Remedy remedy) {
        return failed(new Forbidden(Forbidden.Reason.ACCESS_DENIED), remedy, answer, "access denied");
    }

    private static AttemptFailure clockSkew(ErrorAnswer answer) {
        return failed(
                new Forbidden(Forbidden.Reason.CLOCK_SKEW),
                Remedy.CORRECT_CLOCK,
                answer,
                "the clocks of this machine and of the store differ too much; synchronise them");
    }

    private static AttemptFailure wrongRegion(ErrorAnswer answer) {
        String where = answer.region() == null
                ? "the store sent us elsewhere without naming a region; check the endpoint"
                : "the bucket is in region " + Quoted.text(answer.region()) + "; set that region";
        return failed(new StoreFailure.WrongRegion(answer.region()), Remedy.SWITCH_REGION, answer, where);
    }

    private static AttemptFailure serverError(ErrorAnswer answer, Remedy remedy) {
        return failed(new StoreFailure.ServerError(), remedy, answer, "the store has an error: " + said(answer));
    }

    private static AttemptFailure notImplemented(ErrorAnswer answer) {
        return failed(
                new StoreFailure.NotImplemented(),
                Remedy.NONE,
                answer,
                "the store does not implement this: " + said(answer));
    }

    private static AttemptFailure rejected(ErrorAnswer answer, Remedy remedy) {
        return failed(new StoreFailure.Rejected(), remedy, answer, "the store rejects it: " + said(answer));
    }

    private static String said(ErrorAnswer answer) {
        return answer.message().isEmpty() ? "no explanation given" : Quoted.text(answer.message());
    }

    private static AttemptFailure failed(StoreFailure failure, Remedy remedy, ErrorAnswer answer, String reason) {
        return new AttemptFailure(failure, remedy, answer, reason, null);
    }
}
