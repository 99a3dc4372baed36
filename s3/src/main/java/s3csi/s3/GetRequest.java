package s3csi.s3;

import org.jspecify.annotations.Nullable;

/**
 * Bytes to read.
 *
 * @param range may reach beyond the end of the object, and is then cut there; but must begin within it
 * @param version the version the bytes must belong to; null takes whatever is there, and all bytes still come from one version
 * @param size how many bytes that version has: an object of another size is {@link StoreFailure.Integrity}, although it has the same
 *     ETag; {@link #ANY_SIZE} if that is not known
 */
public record GetRequest(
        String key, ByteRange range, @Nullable ETag version, long size) {
    public static final long ANY_SIZE = -1;

    public GetRequest(String key, ByteRange range, @Nullable ETag version) {
        this(key, range, version, ANY_SIZE);
    }

    /** Whether an object of that size is not the one asked for. */
    public boolean isOfAnotherSize(long found) {
        return size != ANY_SIZE && size != found;
    }
}
