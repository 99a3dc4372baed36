package s3csi.s3.xml;

import org.jspecify.annotations.Nullable;

/** The names that every entry of a listing repeats; found without making a string. */
final class KnownNames {
    private static final String[] NAMES = {
        "Key",
        "LastModified",
        "ETag",
        "Size",
        "StorageClass",
        "Contents",
        "CommonPrefixes",
        "Prefix",
        "Owner",
        "ID",
        "DisplayName",
        "ChecksumAlgorithm",
        "ChecksumType"
    };

    private KnownNames() {}

    static @Nullable String find(StringBuilder name) {
        for (String known : NAMES) {
            if (known.length() == name.length() && known.contentEquals(name)) {
                return known;
            }
        }
        return null;
    }
}
