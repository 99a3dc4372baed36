package s3csi.s3.client;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.UploadChecksum;

/**
 * Which checksums uploads carry. Many stores lack the newer ones: when a request is refused with them and taken with less, less
 * is sent from then on, and the log says so once.
 */
final class UploadProtection {
    private static final Logger LOG = LoggerFactory.getLogger(UploadProtection.class);
    private static final Set<String> REFUSALS = Set.of(
            "", "InvalidArgument", "InvalidRequest", "InvalidHeader", "MalformedXML", "InvalidDigest", "BadRequest");

    private final String bucket;
    private volatile UploadChecksum current;

    UploadProtection(String bucket, UploadChecksum wanted) {
        this.bucket = bucket;
        this.current = wanted;
    }

    interface Request<T> {
        T send(UploadChecksum checksum) throws StoreException;
    }

    /** Sends with what the store is known to take. */
    <T> T send(Request<T> request) throws StoreException {
        return send(current, request);
    }

    /** Sends with the given checksum, or with less if the store refuses it. */
    <T> T send(UploadChecksum first, Request<T> request) throws StoreException {
        StoreException refusal = null;
        UploadChecksum next = first;
        while (true) {
            try {
                T result = request.send(next);
                if (refusal != null) {
                    settle(next, refusal);
                }
                return result;
            } catch (StoreException e) {
                UploadChecksum less = less(next);
                if (less == null || !isRefusal(e)) {
                    throw refusal == null ? e : refusal;
                }
                refusal = refusal == null ? e : refusal;
                next = less;
            }
        }
    }

    private synchronized void settle(UploadChecksum accepted, StoreException refusal) {
        if (current != accepted) {
            current = accepted;
            LOG.warn(
                    "the store of bucket {} refuses upload checksums ({}), so uploads go on with {}; set --upload-checksums off"
                            + " to silence this",
                    bucket,
                    refusal.answer().code(),
                    accepted);
        }
    }

    private static @Nullable UploadChecksum less(UploadChecksum checksum) {
        return switch (checksum) {
            case CRC32C, CRC64NVME -> UploadChecksum.MD5;
            case MD5 -> UploadChecksum.OFF;
            case OFF -> null;
        };
    }

    private static boolean isRefusal(StoreException e) {
        return e.failure() instanceof StoreFailure.NotImplemented
                || (e.failure() instanceof StoreFailure.Rejected
                        && e.answer().status() == 400
                        && REFUSALS.contains(e.answer().code()));
    }
}
