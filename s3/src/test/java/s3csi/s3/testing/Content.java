package s3csi.s3.testing;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import s3csi.s3.ETag;

/** The bytes of an object in memory: really there, or computed so that an object of a terabyte costs nothing. */
public sealed interface Content {
    long size();

    ETag etag();

    /** Puts the bytes from {@code offset} on into the whole of {@code target}. */
    void read(long offset, MemorySegment target);

    /** Bytes that are really there. */
    final class Bytes implements Content {
        private final byte[] bytes;
        private final ETag etag;

        Bytes(byte[] bytes, ETag etag) {
            this.bytes = bytes;
            this.etag = etag;
        }

        public static Bytes of(byte[] bytes) {
            return new Bytes(bytes, new ETag(HexFormat.of().formatHex(md5(bytes))));
        }

        public byte[] bytes() {
            return bytes;
        }

        @Override
        public ETag etag() {
            return etag;
        }

        @Override
        public long size() {
            return bytes.length;
        }

        @Override
        public void read(long offset, MemorySegment target) {
            MemorySegment.copy(
                    bytes, Math.toIntExact(offset), target, ValueLayout.JAVA_BYTE, 0, (int) target.byteSize());
        }
    }

    /**
     * A computed pattern in which every aligned 8 bytes tell where they are: misplaced or repeated bytes show. Byte i is
     * {@link #byteAt(long, long)}.
     */
    record Ramp(long size, long seed) implements Content {
        @Override
        public ETag etag() {
            return new ETag(
                    HexFormat.of().formatHex(md5(("ramp " + seed + ' ' + size).getBytes(StandardCharsets.UTF_8))));
        }

        @Override
        public void read(long offset, MemorySegment target) {
            for (long i = 0; i < target.byteSize(); i++) {
                target.set(ValueLayout.JAVA_BYTE, i, byteAt(seed, offset + i));
            }
        }

        public static byte byteAt(long seed, long offset) {
            long word = (offset >>> 3) * 0x9E3779B97F4A7C15L + seed;
            return (byte) (word >>> (8 * (offset & 7)));
        }
    }

    static byte[] md5(byte[] bytes) {
        try {
            return MessageDigest.getInstance("MD5").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has MD5", e);
        }
    }
}
