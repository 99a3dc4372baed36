package s3csi.driver.bucket;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import s3csi.volume.Cause;
import s3csi.volume.Printable;
import s3csi.volume.Region;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;

/** What a store's refusal means, in our words. */
final class StoreAnswers {
    /**
     * AWS and the stores that imitate it put the right region into the message; the SDK drops the element that holds it. AWS
     * writes it in single quotes, the Versity gateway in double ones.
     */
    private static final Pattern EXPECTED_REGION = Pattern.compile("expecting ['\"]([^'\"]*)['\"]");

    private StoreAnswers() {}

    /** The code of the answer; empty for answers without a body. */
    static String codeOf(AwsServiceException answer) {
        AwsErrorDetails details = answer.awsErrorDetails();
        return details == null || details.errorCode() == null ? "" : details.errorCode();
    }

    /** The region the store names as the right one. */
    static Optional<Region> regionIn(AwsServiceException answer) {
        AwsErrorDetails details = answer.awsErrorDetails();
        if (details == null) {
            return Optional.empty();
        }
        Optional<String> header = Optional.ofNullable(details.sdkHttpResponse())
                .flatMap(response -> response.firstMatchingHeader("x-amz-bucket-region"));
        Matcher message = EXPECTED_REGION.matcher(String.valueOf(details.errorMessage()));
        return header.or(() -> message.find() ? Optional.of(message.group(1)) : Optional.empty())
                .filter(Region::isValid)
                .map(Region::new);
    }

    static Cause causeOf(SdkException failure, BucketCall call) {
        return failure instanceof AwsServiceException answer ? fromAnswer(answer, call) : withoutAnswer(failure, call);
    }

    private static Cause fromAnswer(AwsServiceException answer, BucketCall call) {
        String code = codeOf(answer);
        int status = answer.statusCode();
        return switch (code) {
            // InvalidTokenId is MinIO's word for AWS' InvalidToken.
            case "InvalidAccessKeyId",
                    "SignatureDoesNotMatch",
                    "InvalidToken",
                    "InvalidTokenId",
                    "ExpiredToken",
                    "InvalidSecurity" -> new Cause.WrongKeys(call.action(), code, call.keys());
            case "AuthorizationHeaderMalformed",
                    "PermanentRedirect",
                    "IllegalLocationConstraintException",
                    "InvalidLocationConstraint",
                    "InvalidRegion" ->
                new Cause.WrongRegion(call.action(), call.region().text(), text(answer));
            case "RequestTimeTooSkewed" -> new Cause.ClockSkew(call.action());
            case "NoSuchBucket" -> new Cause.NoSuchBucket(call.bucket().text());
            case "TooManyBuckets", "QuotaExceeded", "LimitExceeded", "ServiceQuotaExceededException" ->
                new Cause.QuotaReached(call.action(), code);
            case "InvalidBucketName" ->
                new Cause.InvalidField(
                        "parameters",
                        "the store does not accept the bucket name " + call.bucket(),
                        "Use another bucketNamePrefix");
            case "SlowDown", "OperationAborted", "RequestTimeout" -> new Cause.StoreBusy(call.action(), text(answer));
            default -> byStatus(status, answer, call);
        };
    }

    private static Cause byStatus(int status, AwsServiceException answer, BucketCall call) {
        if (status == 301 || status == 307) {
            return new Cause.WrongRegion(call.action(), call.region().text(), text(answer));
        }
        if (status == 401 || status == 403) {
            return new Cause.AccessDenied(call.action(), call.permission());
        }
        if (status == 507) {
            return new Cause.QuotaReached(call.action(), text(answer));
        }
        return status == 408 || status == 429 || (status >= 500 && status != 501)
                ? new Cause.StoreBusy(call.action(), text(answer))
                : new Cause.StoreRefused(call.action(), text(answer));
    }

    /** Status, code and message; the message is the store's, so it is bounded and cannot break a line. */
    private static String text(AwsServiceException answer) {
        AwsErrorDetails details = answer.awsErrorDetails();
        String message = details == null || details.errorMessage() == null ? "" : details.errorMessage();
        return (answer.statusCode() + " " + codeOf(answer)).strip()
                + (message.isEmpty() ? "" : ", " + Printable.quoted(message));
    }

    private static Cause withoutAnswer(SdkException failure, BucketCall call) {
        URI endpoint = call.endpoint();
        for (Throwable t = failure; t != null; t = t.getCause()) {
            switch (t) {
                case AbortedException _, InterruptedException _ -> {
                    return new Cause.Stopping();
                }
                case ApiCallTimeoutException _, ApiCallAttemptTimeoutException _, SocketTimeoutException _ -> {
                    return new Cause.EndpointUnreachable(endpoint, "no answer in time");
                }
                case UnknownHostException _ -> {
                    return new Cause.EndpointUnreachable(endpoint, "the name cannot be resolved");
                }
                case ConnectException _, NoRouteToHostException _ -> {
                    return new Cause.EndpointUnreachable(endpoint, "the connection was refused");
                }
                case SSLHandshakeException _, SSLPeerUnverifiedException _, CertificateException _ -> {
                    return new Cause.CertificateNotTrusted(endpoint, innermost(t));
                }
                case SSLException _ -> {
                    return new Cause.EndpointUnreachable(endpoint, innermost(t));
                }
                default -> {
                    // Look further down.
                }
            }
        }
        return new Cause.EndpointUnreachable(endpoint, innermost(failure));
    }

    private static String innermost(Throwable failure) {
        Throwable last = failure;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        return Printable.quoted(String.valueOf(last.getMessage()));
    }
}
