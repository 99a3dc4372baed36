package s3csi.s3;

/** Consecutive bytes of an object: {@code length} bytes from {@code offset}; never empty. */
public record ByteRange(long offset, long length) {
    public ByteRange {
        if (offset < 0 || length <= 0 || offset > Long.MAX_VALUE - length) {
            throw new IllegalArgumentException("not a range of bytes: " + length + " bytes from " + offset);
        }
    }

    /** The range of the bytes from {@code offset} up to but not including {@code end}. */
    public static ByteRange between(long offset, long end) {
        return new ByteRange(offset, end - offset);
    }

    /** The offset of the first byte after the range. */
    public long end() {
        return offset + length;
    }

    /** What is left of the range after its first {@code count} bytes. */
    public ByteRange skip(long count) {
        return new ByteRange(offset + count, length - count);
    }

    /** The form of the {@code Range} header, whose last byte is inclusive. */
    public String header() {
        return "bytes=" + offset + '-' + (end() - 1);
    }
}
