package s3csi.s3.client;

import org.jspecify.annotations.Nullable;
import s3csi.s3.Payload;
import s3csi.s3.UploadChecksum;
import s3csi.s3.checksum.Checksums;

/**
 * The checksum that goes with a body.
 *
 * @param value in base64; empty when there is none
 */
record BodyProtection(UploadChecksum kind, String value) {
    static BodyProtection of(UploadChecksum kind, Payload body) {
        return new BodyProtection(
                kind,
                switch (kind) {
                    case CRC32C -> Checksums.base64Of32(Checksums.crc32c(body));
                    case CRC64NVME -> Checksums.base64Of64(Checksums.crc64nvme(body));
                    case MD5 -> Checksums.base64(Checksums.md5(body));
                    case OFF -> "";
                });
    }

    void addTo(S3Request request) {
        switch (kind) {
            case CRC32C -> request.header("x-amz-checksum-crc32c", value);
            case CRC64NVME -> request.header("x-amz-checksum-crc64nvme", value);
            case MD5 -> request.header("content-md5", value);
            case OFF -> {
                // The user wants none, or the store takes none.
            }
        }
    }

    /** What the completion of an upload has to repeat for this part. */
    @Nullable
    String ofPart() {
        return switch (kind) {
            case CRC32C, CRC64NVME -> value;
            case MD5, OFF -> null;
        };
    }
}
