package s3csi.mounter.metrics.otlp;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One message in protobuf's encoding, field by field. Each field begins with a number that holds its own number and how it is
 * encoded; a message within a message has its length in front.
 */
final class ProtobufMessage {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int LENGTH_DELIMITED = 2;
    private static final int SEVEN_BITS = 0x7f;
    private static final int MORE_FOLLOWS = 0x80;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    ProtobufMessage message(int field, ProtobufMessage value) {
        return delimited(field, value.toByteArray());
    }

    ProtobufMessage text(int field, String value) {
        return delimited(field, value.getBytes(StandardCharsets.UTF_8));
    }

    /** For the types {@code uint64}, {@code bool} and enums. */
    ProtobufMessage number(int field, long value) {
        tag(field, VARINT);
        varint(value);
        return this;
    }

    /** For the type {@code sint32}, whose small negative numbers are short, too. */
    ProtobufMessage signed(int field, int value) {
        return number(field, (value << 1 ^ value >> 31) & 0xffff_ffffL);
    }

    /** For the types {@code fixed64} and {@code sfixed64}. */
    ProtobufMessage fixed(int field, long value) {
        tag(field, FIXED64);
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            bytes.write((int) (value >>> shift));
        }
        return this;
    }

    /** A whole number for the type {@code double}, which holds all that come here exactly. */
    ProtobufMessage real(int field, long value) {
        return fixed(field, Double.doubleToRawLongBits((double) value));
    }

    /** A list of the type {@code uint64}. */
    ProtobufMessage numbers(int field, List<Long> values) {
        ProtobufMessage packed = new ProtobufMessage();
        for (long value : values) {
            packed.varint(value);
        }
        return message(field, packed);
    }

    private ProtobufMessage delimited(int field, byte[] value) {
        tag(field, LENGTH_DELIMITED);
        varint(value.length);
        bytes.writeBytes(value);
        return this;
    }

    private void tag(int field, int encoding) {
        varint((long) field << 3 | encoding);
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~SEVEN_BITS) != 0) {
            bytes.write((int) (rest & SEVEN_BITS) | MORE_FOLLOWS);
            rest >>>= 7;
        }
        bytes.write((int) rest);
    }

    byte[] toByteArray() {
        return bytes.toByteArray();
    }
}
