package s3csi.s3.xml;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Arrays;

/** The text of an element, as bytes until somebody wants a string. */
public final class XmlText {
    private static final String SECONDS = "0000-00-00T00:00:00Z";
    private static final String THOUSANDTHS = "0000-00-00T00:00:00.000Z";
    private static final long SECONDS_OF_DAY = 86_400;

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

    /** The text as a time, or the given one when it is none. */
    public Instant toTime(Instant otherwise) {
        try {
            return isPlainTime() ? plainTime() : Instant.parse(toString());
        } catch (DateTimeException e) {
            return otherwise;
        }
    }

    /**
     * Whether it is a time as stores write it, in seconds or thousandths, such as 2026-01-02T03:04:05.678Z. A listing has thousands, and the
     * JDK makes a dozen objects for each.
     */
    private boolean isPlainTime() {
        boolean isPlain = length == SECONDS.length() || length == THOUSANDTHS.length();
        String form = length == SECONDS.length() ? SECONDS : THOUSANDTHS;
        for (int i = 0; isPlain && i < length; i++) {
            isPlain = form.charAt(i) == '0' ? bytes[i] >= '0' && bytes[i] <= '9' : bytes[i] == form.charAt(i);
        }
        // The JDK knows what a leap second and midnight as 24:00 are.
        return isPlain && digits(11, 13) < 24 && digits(17, 19) < 60;
    }

    private Instant plainTime() {
        long day = LocalDate.of(digits(0, 4), digits(5, 7), digits(8, 10)).toEpochDay();
        int second =
                LocalTime.of(digits(11, 13), digits(14, 16), digits(17, 19)).toSecondOfDay();
        int thousandths = length == SECONDS.length() ? 0 : digits(20, 23);
        return Instant.ofEpochSecond(day * SECONDS_OF_DAY + second, thousandths * 1_000_000L);
    }

    private int digits(int from, int to) {
        int value = 0;
        for (int i = from; i < to; i++) {
            value = 10 * value + bytes[i] - '0';
        }
        return value;
    }

    public boolean isTrue() {
        return length == 4 && toString().equals("true");
    }
}
