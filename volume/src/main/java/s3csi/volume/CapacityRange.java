package s3csi.volume;

/** How large a volume is asked to be. Buckets have no size, so any size is granted; the numbers only have to make sense. */
public record CapacityRange(long requiredBytes, long limitBytes) {
    /** Zero stands for "not given", as in the CSI messages. */
    public static final CapacityRange ANY = new CapacityRange(0, 0);

    private static final long USUAL = 1L << 30;

    public CapacityRange {
        if (requiredBytes < 0 || limitBytes < 0) {
            throw VolumeFailure.invalid("capacity_range", "a size is negative", "Ask for zero or more bytes");
        }
        if (limitBytes > 0 && requiredBytes > limitBytes) {
            throw VolumeFailure.invalid(
                    "capacity_range",
                    "required_bytes " + requiredBytes + " is more than limit_bytes " + limitBytes,
                    "Raise the limit or lower the request");
        }
    }

    public long granted() {
        if (requiredBytes > 0) {
            return requiredBytes;
        }
        return limitBytes > 0 ? Math.min(USUAL, limitBytes) : USUAL;
    }

    /** Whether a volume of this size is what was asked for. */
    public boolean admits(long bytes) {
        return bytes >= requiredBytes && (limitBytes == 0 || bytes <= limitBytes);
    }
}
