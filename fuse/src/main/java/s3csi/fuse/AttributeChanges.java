package s3csi.fuse;

import java.time.Instant;

/**
 * What a SETATTR wants changed. A field counts only if its bit is in {@code valid}.
 *
 * @param valid which of the fields are to be changed, see the constants
 * @param handle the open file it goes through, if {@link #HANDLE} is set (ftruncate)
 */
public record AttributeChanges(
        int valid,
        long handle,
        long size,
        Instant accessed,
        Instant modified,
        Instant changed,
        int mode,
        int uid,
        int gid) {
    public static final int MODE = 1;
    public static final int UID = 1 << 1;
    public static final int GID = 1 << 2;
    public static final int SIZE = 1 << 3;
    public static final int ACCESSED = 1 << 4;
    public static final int MODIFIED = 1 << 5;
    public static final int HANDLE = 1 << 6;
    /** The access time becomes the present; {@link #ACCESSED} is set too. */
    public static final int ACCESSED_NOW = 1 << 7;
    /** The modification time becomes the present; {@link #MODIFIED} is set too. */
    public static final int MODIFIED_NOW = 1 << 8;

    /** Comes with every {@link #SIZE}, and changes nothing. */
    public static final int LOCK_OWNER = 1 << 9;

    public static final int CHANGED = 1 << 10;
    /** Set-user and set-group bits are to be cleared. */
    public static final int KILL_PRIVILEGES = 1 << 11;

    public boolean changes(int bit) {
        return (valid & bit) != 0;
    }
}
