package s3csi.s3.client;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.s3.Payload;
import s3csi.s3.StoreException;
import s3csi.s3.checksum.Checksums;

/**
 * Whether the signature covers the bodies of uploads. As a rule it does not: their checksum is a signed header, and a SHA-256 costs
 * more than all the rest of an upload. Some stores want it over plain HTTP; they get it from their first refusal on, and are asked
 * again from time to time, because the refusal may have meant something else.
 */
final class BodySigning {
    private static final Logger LOG = LoggerFactory.getLogger(BodySigning.class);

    /** How a store may put it that it wants a hash, or has computed one where none was given. */
    private static final Set<String> REFUSALS = Set.of(
            "",
            "BadRequest",
            "InvalidArgument",
            "InvalidHeader",
            "InvalidRequest",
            "MissingSecurityHeader",
            "NotImplemented",
            "SignatureDoesNotMatch",
            "XAmzContentSHA256Mismatch");

    /** The cost is one request that is refused. */
    private static final Duration ASKED_AGAIN_AFTER = Duration.ofMinutes(10);

    private final String bucket;
    private final Clock clock;
    private volatile Instant wantedUntil = Instant.MIN;

    BodySigning(String bucket, Clock clock) {
        this.bucket = bucket;
        this.clock = clock;
    }

    interface Request<T> {
        /** One request with the hash of its body, which is null if it goes unsigned. */
        T send(@Nullable String hash) throws StoreException;
    }

    <T> T send(Payload body, boolean isSecure, Request<T> request) throws StoreException {
        if (clock.instant().isBefore(wantedUntil)) {
            return request.send(Checksums.sha256Hex(body));
        }
        try {
            return request.send(null);
        } catch (StoreException e) {
            if (isSecure || !isRefusal(e)) {
                throw e;
            }
            return sendSigned(body, request, e);
        }
    }

    private static boolean isRefusal(StoreException e) {
        return switch (e.answer().status()) {
            case 400, 403, 501 -> REFUSALS.contains(e.answer().code());
            default -> false;
        };
    }

    /** Whatever else is wrong with the request has been said already. */
    private <T> T sendSigned(Payload body, Request<T> request, StoreException refusal) throws StoreException {
        T result;
        try {
            result = request.send(Checksums.sha256Hex(body));
        } catch (StoreException e) {
            refusal.addSuppressed(e);
            throw refusal;
        }
        boolean isNews = wantedUntil.equals(Instant.MIN);
        wantedUntil = clock.instant().plus(ASKED_AGAIN_AFTER);
        if (isNews) {
            LOG.info(
                    "the store of bucket {} takes no unsigned bodies over plain HTTP ({}), so they are signed",
                    bucket,
                    refusal.answer().code());
        }
        return result;
    }
}
