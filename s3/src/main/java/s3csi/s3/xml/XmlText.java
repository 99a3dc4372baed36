package s3csi.s3.xml;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The text of an element, as bytes until somebody wants a string. */
public final class XmlText {
    private byte[] bytes = new byte[256];
    private int length;

    void clear() {
        length = 0;
    }

    void append(byte b) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * length);
        }
        bytes[length++] = b;
    }

    void append(byte[] more) {
        for (byte b : more) {
            append(b);
        }
    }

    int length() {
        return length;
    }

    public boolean isEmpty() {
        return length == 0;
    }

    /** The text as it stands. */
    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    /** The text as a number, or the given one when it is none. */
    public long toLong(long otherwise) {
        if (length == 0 || length > 18) {
            return otherwise;
        }
        long value = 0;
        for (int i = 0; i < length; i++) {
            if (bytes[i] < '0' || bytes[i] > '9') {
                return otherwise;
            }
            value = 10 * value + bytes[i] - '0';
        }
        return value;
    }

    public boolean isTrue() {
        return length == 4 && toString().equals("true");
    }
}
