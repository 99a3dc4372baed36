package s3csi.filesystem.write;

import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.filesystem.failure.FileException;
import s3csi.s3.ETag;
import s3csi.s3.ObjectInfo;
import s3csi.s3.ObjectStore;
import s3csi.s3.Payload;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.UploadedPart;

/**
 * Finds out whether a request took effect although its answer did not say so: the connection broke, or the request was sent twice
 * and the second one came too late. Most stores make the ETag of the MD5 of the bytes, or of those of the parts, which proves it;
 * where they do not, the failure stands.
 */
final class LostAnswer {
    private static final Logger LOG = LoggerFactory.getLogger(LostAnswer.class);

    private LostAnswer() {}

    /** The ETag that the PUT made, or the failure. */
    static ETag ofPut(ObjectStore store, String key, Payload body, StoreException failure) throws FileException {
        return isAmbiguous(failure) ? proved(store, key, body.size(), md5(body), failure) : failed(failure);
    }

    /** The ETag that the completion made, or the failure. */
    static ETag ofComplete(ObjectStore store, String key, List<UploadedPart> parts, StoreException failure)
            throws FileException {
        if (!isAmbiguous(failure)) {
            return failed(failure);
        }
        MessageDigest whole = md5();
        long size = 0;
        for (UploadedPart part : parts) {
            String digest = part.etag().text();
            if (digest.length() != 32 || !digest.chars().allMatch(HexFormat::isHexDigit)) {
                return failed(failure);
            }
            whole.update(HexFormat.of().parseHex(digest));
            size += part.size();
        }
        return proved(store, key, size, hex(whole) + '-' + parts.size(), failure);
    }

    private static ETag proved(ObjectStore store, String key, long size, String expected, StoreException failure)
            throws FileException {
        ObjectInfo present;
        try {
            present = store.head(key);
        } catch (StoreException e) {
            failure.addSuppressed(e);
            return failed(failure);
        }
        ETag etag = present.etag();
        if (present.size() == size && etag != null && etag.text().equalsIgnoreCase(expected)) {
            LOG.info("{} was stored although the answer was lost: {}", key, failure.getMessage());
            return etag;
        }
        return failed(failure);
    }

    private static ETag failed(StoreException failure) throws FileException {
        throw FileException.ofUpload(failure);
    }

    private static boolean isAmbiguous(StoreException e) {
        return switch (e.failure()) {
            case StoreFailure.Timeout _,
                    StoreFailure.Unreachable _,
                    StoreFailure.ServerError _,
                    StoreFailure.Throttled _,
                    StoreFailure.Protocol _,
                    // What a second completion gets when the first one went well.
                    StoreFailure.NoSuchUpload _ -> true;
            case StoreFailure.NoSuchKey _,
                    StoreFailure.NoSuchBucket _,
                    StoreFailure.Forbidden _,
                    StoreFailure.NoCredentials _,
                    StoreFailure.Archived _,
                    StoreFailure.PreconditionFailed _,
                    StoreFailure.RangeNotSatisfiable _,
                    StoreFailure.NotImplemented _,
                    StoreFailure.WrongRegion _,
                    StoreFailure.Integrity _,
                    StoreFailure.CertificateNotTrusted _,
                    StoreFailure.Cancelled _,
                    StoreFailure.Rejected _ -> false;
        };
    }

    private static String md5(Payload body) {
        MessageDigest digest = md5();
        for (MemorySegment segment : body.segments()) {
            digest.update(segment.asByteBuffer());
        }
        return hex(digest);
    }

    private static String hex(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
    }
}
