package s3csi.s3;

import org.jspecify.annotations.Nullable;

/**
 * What a new object carries besides its bytes; null leaves it to the store. Storage class and encryption are settings of the
 * store ({@code HttpStoreOptions}), because they are the same for every object of a mount.
 */
public record ObjectAttributes(@Nullable String contentType) {
    public static final ObjectAttributes DEFAULTS = new ObjectAttributes(null);
}
