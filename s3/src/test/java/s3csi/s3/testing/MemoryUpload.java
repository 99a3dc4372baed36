package s3csi.s3.testing;

import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import s3csi.s3.ETag;
import s3csi.s3.Upload;
import s3csi.s3.UploadedPart;

/** A multipart upload of the store in memory. */
record MemoryUpload(Upload upload, @Nullable String contentType, Instant initiated, Map<Integer, Content.Bytes> parts) {
    static MemoryUpload begin(Upload upload, @Nullable String contentType, Instant now) {
        return new MemoryUpload(upload, contentType, now, new ConcurrentSkipListMap<>());
    }

    /** The object that the named parts make, with the ETag that S3 gives to multipart objects; null if one is missing. */
    Content.@Nullable Bytes assemble(List<UploadedPart> named) {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        ByteArrayOutputStream digests = new ByteArrayOutputStream();
        int before = 0;
        for (UploadedPart part : named) {
            Content.Bytes bytes = parts.get(part.number());
            if (bytes == null || !bytes.etag().equals(part.etag()) || part.number() <= before) {
                return null;
            }
            before = part.number();
            whole.writeBytes(bytes.bytes());
            digests.writeBytes(Content.md5(bytes.bytes()));
        }
        String hash = HexFormat.of().formatHex(Content.md5(digests.toByteArray()));
        return new Content.Bytes(whole.toByteArray(), new ETag(hash + '-' + named.size()));
    }

    /** Whether a part other than the last is smaller than the store allows. */
    boolean hasPartBelow(long minimum, List<UploadedPart> named) {
        return named.stream().limit(Math.max(0, named.size() - 1)).anyMatch(part -> {
            Content.Bytes bytes = parts.get(part.number());
            return bytes != null && bytes.size() < minimum;
        });
    }
}
