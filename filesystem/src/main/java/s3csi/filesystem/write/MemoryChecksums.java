package s3csi.filesystem.write;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.zip.CRC32C;

/** CRC-32C of native memory: what tells whether the bytes that left are those that came. */
final class MemoryChecksums {
    private MemoryChecksums() {}

    static void update(CRC32C checksum, MemorySegment bytes) {
        checksum.update(bytes.asByteBuffer());
    }

    static int of(List<MemorySegment> segments) {
        CRC32C checksum = new CRC32C();
        segments.forEach(segment -> update(checksum, segment));
        return (int) checksum.getValue();
    }

    /** The form in which stores give it: base64 of four bytes, the highest first. */
    static String base64(int checksum) {
        return Base64.getEncoder()
                .encodeToString(ByteBuffer.allocate(4).putInt(checksum).array());
    }
}
