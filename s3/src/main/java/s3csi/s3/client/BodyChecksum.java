package s3csi.s3.client;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;
import s3csi.s3.checksum.Checksums;
import s3csi.s3.checksum.Crc64Nvme;
import s3csi.s3.http.ResponseHead;

/**
 * The checksum that a store keeps of a whole object, compared with what arrives. Composite ones, made of the checksums of parts
 * whose borders we do not know, cannot be compared.
 */
final class BodyChecksum {
    private final Checksum running;
    private final String expected;
    private final boolean isLong;

    private BodyChecksum(Checksum running, String expected, boolean isLong) {
        this.running = running;
        this.expected = expected;
        this.isLong = isLong;
    }

    static @Nullable BodyChecksum announcedIn(ResponseHead head) {
        if ("COMPOSITE".equals(head.header("x-amz-checksum-type"))) {
            return null;
        }
        String crc64 = whole(head, "x-amz-checksum-crc64nvme");
        if (crc64 != null) {
            return new BodyChecksum(new Crc64Nvme(), crc64, true);
        }
        String crc32c = whole(head, "x-amz-checksum-crc32c");
        if (crc32c != null) {
            return new BodyChecksum(new CRC32C(), crc32c, false);
        }
        String crc32 = whole(head, "x-amz-checksum-crc32");
        return crc32 == null ? null : new BodyChecksum(new CRC32(), crc32, false);
    }

    /** A dash and a number mark the checksum of checksums. */
    private static @Nullable String whole(ResponseHead head, String name) {
        String value = head.header(name);
        return value == null || value.indexOf('-') >= 0 ? null : value;
    }

    void update(ByteBuffer bytes) {
        running.update(bytes);
    }

    boolean matches() {
        long value = running.getValue();
        return expected.equals(isLong ? Checksums.base64Of64(value) : Checksums.base64Of32(value));
    }
}
