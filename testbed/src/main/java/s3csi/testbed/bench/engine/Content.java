package s3csi.testbed.bench.engine;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Bytes that are different everywhere and known everywhere: a reader that got the wrong ones, or the right ones from the wrong
 * place, is found out.
 */
record Content(long seed, long size) {
    private static final int CHUNK = 1 << 20;

    Content {
        if (size % Long.BYTES != 0) {
            throw new IllegalArgumentException("content comes in whole words, not in " + size + " bytes");
        }
    }

    /** The word at a place, by the finaliser of SplitMix64. */
    private long word(long index) {
        long mixed = (index + 1 + seed * 0x1000003L) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /** Fills the buffer with what lies from the offset on, and makes it ready to be read. */
    ByteBuffer fill(ByteBuffer buffer, long offset) {
        buffer.clear().order(ByteOrder.LITTLE_ENDIAN);
        for (long index = offset / Long.BYTES; buffer.remaining() >= Long.BYTES; index++) {
            buffer.putLong(word(index));
        }
        return buffer.flip();
    }

    /** The checksum of a part. */
    long checksum(long offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(fill(ByteBuffer.allocate(length), offset));
        return crc.getValue();
    }

    long checksum() {
        CRC32C crc = new CRC32C();
        ByteBuffer buffer = ByteBuffer.allocate(CHUNK);
        for (long offset = 0; offset < size; offset += CHUNK) {
            buffer.limit((int) Math.min(CHUNK, size - offset));
            crc.update(fill(buffer.slice(), offset));
        }
        return crc.getValue();
    }

    InputStream stream() {
        return new InputStream() {
            private final ByteBuffer buffer = ByteBuffer.allocate(CHUNK).limit(0);
            private long offset;

            @Override
            public int read() {
                return refill() ? buffer.get() & 0xff : -1;
            }

            @Override
            public int read(byte[] into, int from, int count) {
                if (!refill()) {
                    return -1;
                }
                int length = Math.min(count, buffer.remaining());
                buffer.get(into, from, length);
                return length;
            }

            private boolean refill() {
                if (!buffer.hasRemaining() && offset < size) {
                    fill(buffer, offset);
                    buffer.limit((int) Math.min(CHUNK, size - offset));
                    offset += buffer.limit();
                }
                return buffer.hasRemaining();
            }
        };
    }
}
