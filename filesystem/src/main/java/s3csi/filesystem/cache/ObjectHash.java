package s3csi.filesystem.cache;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import s3csi.s3.ETag;

/** What stands for one version of one object: SHA-256 over bucket, key and ETag. */
final class ObjectHash {
    static final int BYTES = 32;

    private final byte[] bytes;

    private ObjectHash(byte[] bytes) {
        this.bytes = bytes;
    }

    static ObjectHash of(String bucket, String key, ETag etag) {
        MessageDigest digest = sha256();
        for (String each : new String[] {bucket, key, etag.text()}) {
            byte[] text = each.getBytes(StandardCharsets.UTF_8);
            // With its length, so that no two lists of texts run into the same bytes.
            digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, text.length));
            digest.update(text);
        }
        return new ObjectHash(digest.digest());
    }

    static ObjectHash ofText(String text) {
        return new ObjectHash(sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** The hash in a file name; throws {@link IllegalArgumentException} if it is none. */
    static ObjectHash parse(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("not a hash: " + hex);
        }
        return new ObjectHash(bytes);
    }

    String hex() {
        return HexFormat.of().formatHex(bytes);
    }

    void putInto(ByteBuffer target) {
        target.put(bytes);
    }

    boolean isNext(ByteBuffer source) {
        byte[] other = new byte[BYTES];
        source.get(other);
        return MessageDigest.isEqual(bytes, other);
    }

    static ObjectHash of(byte[] bytes) {
        return new ObjectHash(bytes);
    }

    void putInto(MemorySegment target, long offset) {
        MemorySegment.copy(bytes, 0, target, ValueLayout.JAVA_BYTE, offset, BYTES);
    }

    boolean isAt(MemorySegment memory, long offset) {
        return MemorySegment.mismatch(memory, offset, offset + BYTES, MemorySegment.ofArray(bytes), 0, BYTES) < 0;
    }

    /** Eight of its bytes, which are as good as any: the second ones, in the order of the machine. */
    long part() {
        return MemorySegment.ofArray(bytes).get(ValueLayout.JAVA_LONG_UNALIGNED, Long.BYTES);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
