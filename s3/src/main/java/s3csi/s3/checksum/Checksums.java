package s3csi.s3.checksum;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import s3csi.s3.Payload;

/** Checksums of payloads, in the forms that S3 wants in headers. */
public final class Checksums {
    /** The SHA-256 of nothing: most requests have no body. */
    public static final String SHA256_OF_NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    private Checksums() {}

    public static long crc32c(Payload body) {
        return over(new CRC32C(), body);
    }

    public static long crc64nvme(Payload body) {
        return over(new Crc64Nvme(), body);
    }

    private static long over(Checksum checksum, Payload body) {
        for (MemorySegment segment : body.segments()) {
            checksum.update(segment.asByteBuffer());
        }
        return checksum.getValue();
    }

    public static byte[] md5(Payload body) {
        return digest("MD5", body);
    }

    public static String sha256Hex(Payload body) {
        return body.size() == 0 ? SHA256_OF_NOTHING : HexFormat.of().formatHex(digest("SHA-256", body));
    }

    private static byte[] digest(String algorithm, Payload body) {
        MessageDigest digest = newDigest(algorithm);
        for (MemorySegment segment : body.segments()) {
            digest.update(segment.asByteBuffer());
        }
        return digest.digest();
    }

    public static MessageDigest newDigest(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has " + algorithm, e);
        }
    }

    /** The header form of a CRC of 32 bits. */
    public static String base64Of32(long crc) {
        return base64(ByteBuffer.allocate(Integer.BYTES).putInt((int) crc).array());
    }

    /** The header form of a CRC of 64 bits. */
    public static String base64Of64(long crc) {
        return base64(ByteBuffer.allocate(Long.BYTES).putLong(crc).array());
    }

    public static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
