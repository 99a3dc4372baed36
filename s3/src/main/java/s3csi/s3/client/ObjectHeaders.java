package s3csi.s3.client;

import java.net.ProtocolException;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import s3csi.s3.ETag;
import s3csi.s3.ObjectInfo;
import s3csi.s3.RestoreStatus;
import s3csi.s3.http.ResponseHead;

/** What the headers of HEAD and GET say about an object. */
final class ObjectHeaders {
    private static final Pattern EXPIRY = Pattern.compile("expiry-date=\"([^\"]*)\"");

    private ObjectHeaders() {}

    static ObjectInfo info(ResponseHead head, String key, long size) {
        Instant modified = ErrorAnswer.httpDate(head.header("last-modified"));
        String storageClass = head.header("x-amz-storage-class");
        return new ObjectInfo(
                key,
                size,
                etag(head),
                modified == null ? Instant.EPOCH : modified,
                "STANDARD".equals(storageClass) ? null : storageClass,
                restore(head.header("x-amz-restore")));
    }

    static @Nullable ETag etag(ResponseHead head) {
        return ETag.parse(head.headerOrEmpty("etag"));
    }

    static RestoreStatus restore(@Nullable String header) {
        if (header == null) {
            return RestoreStatus.NOT_REQUESTED;
        }
        if (header.contains("ongoing-request=\"true\"")) {
            return RestoreStatus.IN_PROGRESS;
        }
        Matcher expiry = EXPIRY.matcher(header);
        Instant until = expiry.find() ? ErrorAnswer.httpDate(expiry.group(1)) : null;
        return new RestoreStatus.Restored(until == null ? Instant.MAX : until);
    }

    static long length(ResponseHead head) throws ProtocolException {
        String text = head.header("content-length");
        if (text == null || !text.matches("\\d{1,18}")) {
            throw new ProtocolException("the answer does not tell the size of the object");
        }
        return Long.parseLong(text);
    }
}
