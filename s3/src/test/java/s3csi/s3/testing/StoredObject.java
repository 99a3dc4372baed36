package s3csi.s3.testing;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import s3csi.s3.ObjectInfo;
import s3csi.s3.RestoreStatus;

/** An object of the store in memory. */
public record StoredObject(
        String key,
        Content content,
        Instant lastModified,
        @Nullable String contentType,
        @Nullable String storageClass,
        RestoreStatus restore) {
    public ObjectInfo info() {
        return new ObjectInfo(key, content.size(), content.etag(), lastModified, storageClass, restore);
    }

    StoredObject withArchive(@Nullable String newClass, RestoreStatus newRestore) {
        return new StoredObject(key, content, lastModified, contentType, newClass, newRestore);
    }
}
