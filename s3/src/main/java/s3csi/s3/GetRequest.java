package s3csi.s3;

import org.jspecify.annotations.Nullable;

/**
 * Bytes to read.
 *
 * @param range may reach beyond the end of the object, and is then cut there; but must begin within it
 * @param version the version the bytes must belong to; null takes whatever is there, and all bytes still come from one version
 */
public record GetRequest(
        String key, ByteRange range, @Nullable ETag version) {}
