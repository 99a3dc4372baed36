package s3csi.s3;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a store says about one object, by HEAD or in a listing.
 *
 * <p>Some stores leave fields out of listings: then {@link #size} is {@link #UNKNOWN_SIZE} or {@link #etag} is null, and
 * {@link #isComplete()} says that a HEAD is needed before the entry is trusted. HEAD answers are always complete.
 *
 * @param lastModified the epoch when the store did not say
 * @param storageClass null for the store's standard class
 */
public record ObjectInfo(
        String key,
        long size,
        @Nullable ETag etag,
        Instant lastModified,
        @Nullable String storageClass,
        RestoreStatus restore) {
    public static final long UNKNOWN_SIZE = -1;

    /** An object of the standard storage class. */
    public static ObjectInfo of(String key, long size, ETag etag, Instant lastModified) {
        return new ObjectInfo(key, size, etag, lastModified, null, RestoreStatus.NOT_REQUESTED);
    }

    public boolean isComplete() {
        return size != UNKNOWN_SIZE && etag != null;
    }

    /** Whether the bytes can be read now: archived objects must be restored first. */
    public boolean isReadable() {
        boolean archived = "GLACIER".equals(storageClass) || "DEEP_ARCHIVE".equals(storageClass);
        return !archived || restore instanceof RestoreStatus.Restored;
    }
}
