package s3csi.s3.checksum;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.Checksum;

/**
 * CRC-64/NVME, S3's checksum for whole multipart objects. The JDK has none; sixteen tables let sixteen bytes be taken at once,
 * which is a good ten times as fast as one table.
 */
public final class Crc64Nvme implements Checksum {
    private static final int SLICES = 16;
    private static final long[] TABLES = tables();

    /** Inverted, as the algorithm keeps it while it runs. */
    private long state = -1;

    private static long[] tables() {
        long[] tables = new long[SLICES * 256];
        for (int value = 0; value < 256; value++) {
            long crc = value;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) != 0 ? crc >>> 1 ^ CrcPolynomial.CRC64NVME.polynomial() : crc >>> 1;
            }
            tables[value] = crc;
        }
        for (int i = 256; i < tables.length; i++) {
            long before = tables[i - 256];
            tables[i] = before >>> 8 ^ tables[(int) before & 0xff];
        }
        return tables;
    }

    @Override
    public void update(int b) {
        state = step(state, (byte) b);
    }

    private static long step(long crc, byte b) {
        return crc >>> 8 ^ TABLES[((int) crc ^ b) & 0xff];
    }

    @Override
    public void update(byte[] bytes, int offset, int length) {
        update(ByteBuffer.wrap(bytes, offset, length));
    }

    @Override
    public void update(ByteBuffer buffer) {
        ByteBuffer words = buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        int at = buffer.position();
        int end = buffer.limit();
        long crc = state;
        for (; at + SLICES <= end; at += SLICES) {
            crc = step(crc ^ words.getLong(at), words.getLong(at + 8));
        }
        for (; at < end; at++) {
            crc = step(crc, words.get(at));
        }
        state = crc;
        buffer.position(end);
    }

    /** Sixteen bytes: each looks up what it does to the checksum after those behind it. */
    private static long step(long low, long high) {
        return TABLES[15 * 256 + ((int) low & 0xff)]
                ^ TABLES[14 * 256 + ((int) (low >>> 8) & 0xff)]
                ^ TABLES[13 * 256 + ((int) (low >>> 16) & 0xff)]
                ^ TABLES[12 * 256 + ((int) (low >>> 24) & 0xff)]
                ^ TABLES[11 * 256 + ((int) (low >>> 32) & 0xff)]
                ^ TABLES[10 * 256 + ((int) (low >>> 40) & 0xff)]
                ^ TABLES[9 * 256 + ((int) (low >>> 48) & 0xff)]
                ^ TABLES[8 * 256 + (int) (low >>> 56)]
                ^ TABLES[7 * 256 + ((int) high & 0xff)]
                ^ TABLES[6 * 256 + ((int) (high >>> 8) & 0xff)]
                ^ TABLES[5 * 256 + ((int) (high >>> 16) & 0xff)]
                ^ TABLES[4 * 256 + ((int) (high >>> 24) & 0xff)]
                ^ TABLES[3 * 256 + ((int) (high >>> 32) & 0xff)]
                ^ TABLES[2 * 256 + ((int) (high >>> 40) & 0xff)]
                ^ TABLES[256 + ((int) (high >>> 48) & 0xff)]
                ^ TABLES[(int) (high >>> 56)];
    }

    @Override
    public long getValue() {
        return ~state;
    }

    @Override
    public void reset() {
        state = -1;
    }
}
