package s3csi.s3;

/** An object to copy from, within the same bucket, and the version it must still have. */
public record CopySource(String key, ETag etag) {}
