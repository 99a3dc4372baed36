package s3csi.fuse.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * One request as the kernel wrote it: a header of 40 bytes, then a body that depends on the operation. Reused for request after
 * request; reading numbers allocates nothing.
 *
 * <p>Offsets of the body methods count from the begin of the body. A body may be shorter than today's structure, because older
 * kernels send shorter ones: what {@code ...OrZero} does not find is 0, what the others do not find is an error.
 */
public final class RequestBytes {
    /** Bytes of the header. */
    public static final int HEADER = 40;
    /** Set in the number of a request that is sent again. */
    private static final long RESENT = 1L << 63;

    private MemorySegment buffer = MemorySegment.NULL;
    private int length;

    /** Looks at a request of that many bytes. */
    public void wrap(MemorySegment request, int bytes) throws MalformedRequestException {
        buffer = request;
        length = bytes;
        if (bytes < HEADER) {
            throw new MalformedRequestException("a request of " + bytes + " bytes has no header");
        }
        if (declaredLength() != bytes) {
            throw new MalformedRequestException(
                    "a request says it has " + declaredLength() + " bytes, but " + bytes + " were read");
        }
    }

    private int declaredLength() {
        return buffer.get(JAVA_INT, 0);
    }

    public int opcode() {
        return buffer.get(JAVA_INT, 4);
    }

    public long unique() {
        return buffer.get(JAVA_LONG, 8);
    }

    public static boolean isResent(long unique) {
        return (unique & RESENT) != 0;
    }

    public long node() {
        return buffer.get(JAVA_LONG, 16);
    }

    public int uid() {
        return buffer.get(JAVA_INT, 24);
    }

    public int gid() {
        return buffer.get(JAVA_INT, 28);
    }

    public int pid() {
        return buffer.get(JAVA_INT, 32);
    }

    public int bodyLength() {
        return length - HEADER;
    }

    public int int32(int offset) throws MalformedRequestException {
        require(offset + 4);
        return buffer.get(JAVA_INT, HEADER + offset);
    }

    public long int64(int offset) throws MalformedRequestException {
        require(offset + 8);
        return buffer.get(JAVA_LONG, HEADER + offset);
    }

    public int int32OrZero(int offset) {
        return offset + 4 <= bodyLength() ? buffer.get(JAVA_INT, HEADER + offset) : 0;
    }

    public long int64OrZero(int offset) {
        return offset + 8 <= bodyLength() ? buffer.get(JAVA_LONG, HEADER + offset) : 0;
    }

    /** Where the body lies in the buffer, for data that is not copied. */
    public int position(int offset, int bytes) throws MalformedRequestException {
        if (bytes < 0 || offset > bodyLength() - bytes) {
            throw new MalformedRequestException("a request of " + length + " bytes cannot hold "
                    + Integer.toUnsignedString(bytes) + " bytes of data");
        }
        return HEADER + offset;
    }

    public byte[] bytes(int offset, int count) throws MalformedRequestException {
        byte[] copy = new byte[count];
        MemorySegment.copy(buffer, JAVA_BYTE, position(offset, count), copy, 0, count);
        return copy;
    }

    /** The offset behind a text that begins here, with its final NUL. */
    public int endOfText(int offset) throws MalformedRequestException {
        for (int i = HEADER + offset; i < length; i++) {
            if (buffer.get(JAVA_BYTE, i) == 0) {
                return i - HEADER + 1;
            }
        }
        throw new MalformedRequestException("a name in a request of " + length + " bytes has no end");
    }

    /** The text that begins here and ends with NUL. */
    public String text(int offset) throws MalformedRequestException, InvalidNameException {
        byte[] raw = bytes(offset, endOfText(offset) - 1 - offset);
        String text = new String(raw, StandardCharsets.UTF_8);
        // Decoding puts U+FFFD where it does not understand; the character itself is a legal part of a name.
        if (text.indexOf('\uFFFD') >= 0 && !java.util.Arrays.equals(raw, text.getBytes(StandardCharsets.UTF_8))) {
            throw new InvalidNameException();
        }
        return text;
    }

    private void require(int end) throws MalformedRequestException {
        if (end > bodyLength()) {
            throw new MalformedRequestException("a request of operation " + opcode() + " has a body of " + bodyLength()
                    + " bytes and needs " + end);
        }
    }
}
