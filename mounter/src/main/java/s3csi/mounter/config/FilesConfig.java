package s3csi.mounter.config;

import java.util.OptionalInt;

/**
 * What files look like and what may be done with them.
 *
 * @param ignoreAttributeChanges whether owners, modes and times of stored files may be set, without effect
 * @param uid owner, as an unsigned number; empty for the user of this process
 */
public record FilesConfig(
        boolean readOnly,
        boolean allowDelete,
        boolean allowOverwrite,
        boolean allowAppend,
        boolean ignoreAttributeChanges,
        Audience audience,
        OptionalInt uid,
        OptionalInt gid,
        int directoryMode,
        int fileMode) {
    /** Who is let in. */
    public enum Audience {
        OWNER,
        OWNER_AND_ROOT,
        EVERYBODY
    }
}
