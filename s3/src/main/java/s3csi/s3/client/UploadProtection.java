package s3csi.s3.client;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.s3.Quoted;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.UploadChecksum;

/**
 * Which checksums uploads carry. Some stores do not know the newer ones and say so: then less is sent, and the wanted one is tried
 * again from time to time, because the store may be replaced or learn it. Any other refusal is a failure of that upload alone.
 */
final class UploadProtection {
    private static final Logger LOG = LoggerFactory.getLogger(UploadProtection.class);

    /** The cost is one request that is refused. */
    private static final Duration TRIED_AGAIN_AFTER = Duration.ofMinutes(10);

    /** What names a checksum in the words of a refusal, in lower case. */
    private static final List<String> SUBJECTS = List.of("checksum", "content-md5");
    /**
     * What says in them that it is unknown. Backblaze B2 answers 400 InvalidArgument, "Unsupported header 'x-amz-checksum-...'
     * received for this API call"; Cloudflare R2 501 NotImplemented, "Header 'x-amz-checksum-...' with value '...' not implemented"; AWS
     * 400 InvalidRequest, "The algorithm type you specified in x-amz-checksum- header is invalid", to an algorithm it does not have.
     */
    private static final List<String> UNKNOWN = List.of(
            "unsupported",
            "not supported",
            "unknown",
            "unrecognized",
            "not recognized",
            "unexpected header",
            "not allowed",
            "algorithm");

    private final String bucket;
    private final UploadChecksum wanted;
    private final Clock clock;
    private volatile Choice choice;

    /** @param until when the wanted checksum is tried again; the end of time if it is the one */
    private record Choice(UploadChecksum checksum, Instant until) {}

    UploadProtection(String bucket, UploadChecksum wanted, Clock clock) {
        this.bucket = bucket;
        this.wanted = wanted;
        this.clock = clock;
        this.choice = new Choice(wanted, Instant.MAX);
    }

    interface Request<T> {
        T send(UploadChecksum checksum) throws StoreException;
    }

    /** Sends with what the store is known to take. */
    <T> T send(Request<T> request) throws StoreException {
        Choice known = choice;
        boolean isOld = !clock.instant().isBefore(known.until);
        return send(isOld ? wanted : known.checksum, request);
    }

    /** Sends with the given checksum, or with less if the store does not know it. */
    <T> T send(UploadChecksum first, Request<T> request) throws StoreException {
        StoreException refusal = null;
        UploadChecksum next = first;
        while (true) {
            try {
                T result = request.send(next);
                if (refusal != null) {
                    settleFor(next, refusal);
                } else if (next == wanted && choice.checksum != wanted) {
                    resume();
                }
                return result;
            } catch (StoreException e) {
                UploadChecksum less = less(next);
                if (less == null || !isUnknown(e)) {
                    throw refusal == null ? e : refusal;
                }
                refusal = refusal == null ? e : refusal;
                next = less;
            }
        }
    }

    private synchronized void settleFor(UploadChecksum accepted, StoreException refusal) {
        boolean isNews = choice.checksum != accepted;
        choice = new Choice(accepted, clock.instant().plus(TRIED_AGAIN_AFTER));
        if (isNews) {
            LOG.warn(
                    "the store of bucket {} does not know upload checksums of kind {} ({} {}), so uploads go on with {}; they are"
                            + " tried again every {} minutes, --upload-checksums off stops that",
                    bucket,
                    wanted,
                    refusal.answer().code(),
                    Quoted.text(refusal.answer().words()),
                    accepted,
                    TRIED_AGAIN_AFTER.toMinutes());
        }
    }

    private synchronized void resume() {
        if (choice.checksum != wanted) {
            choice = new Choice(wanted, Instant.MAX);
            LOG.info("the store of bucket {} takes upload checksums of kind {} now", bucket, wanted);
        }
    }

    private static @Nullable UploadChecksum less(UploadChecksum checksum) {
        return switch (checksum) {
            case CRC32C, CRC64NVME -> UploadChecksum.MD5;
            case MD5 -> UploadChecksum.OFF;
            case OFF -> null;
        };
    }

    /** Whether the store says that it does not know the checksum. What it does not implement at all is found out by the next try. */
    private static boolean isUnknown(StoreException e) {
        if (e.failure() instanceof StoreFailure.NotImplemented) {
            return true;
        }
        String words = e.answer().words().toLowerCase(Locale.ROOT);
        return e.failure() instanceof StoreFailure.Rejected
                && e.answer().status() == 400
                && SUBJECTS.stream().anyMatch(words::contains)
                && UNKNOWN.stream().anyMatch(words::contains);
    }
}
