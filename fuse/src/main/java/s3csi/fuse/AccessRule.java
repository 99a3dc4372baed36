package s3csi.fuse;

/**
 * Whom the session lets in, beside what the kernel checks. A mount made with {@code allow_other} lets everybody through to
 * the file system; this rule narrows it down again.
 */
public sealed interface AccessRule {
    /** Everybody. */
    record All() implements AccessRule {}

    /** The owner of the mount only. */
    record Owner(int uid) implements AccessRule {}

    /** The owner of the mount and root. */
    record OwnerAndRoot(int uid) implements AccessRule {}

    default boolean allows(int caller) {
        return switch (this) {
            case All() -> true;
            case Owner(int uid) -> caller == uid;
            case OwnerAndRoot(int uid) -> caller == uid || caller == 0;
        };
    }

    /**
     * Whether the operation is refused to strangers. What follows from an open file is not checked again: a descriptor may
     * be given to another user on purpose, and the kernel itself sends such requests under foreign ids.
     */
    static boolean isChecked(Operation operation) {
        return switch (operation) {
            case INIT,
                    DESTROY,
                    READ,
                    READDIR,
                    READDIRPLUS,
                    FORGET,
                    BATCH_FORGET,
                    INTERRUPT,
                    NOTIFY_REPLY,
                    WRITE,
                    FLUSH,
                    FSYNC,
                    FSYNCDIR,
                    RELEASE,
                    RELEASEDIR -> false;
            case LOOKUP,
                    GETATTR,
                    SETATTR,
                    READLINK,
                    SYMLINK,
                    MKNOD,
                    MKDIR,
                    UNLINK,
                    RMDIR,
                    RENAME,
                    LINK,
                    OPEN,
                    STATFS,
                    SETXATTR,
                    GETXATTR,
                    LISTXATTR,
                    REMOVEXATTR,
                    OPENDIR,
                    GETLK,
                    SETLK,
                    SETLKW,
                    ACCESS,
                    CREATE,
                    BMAP,
                    IOCTL,
                    POLL,
                    FALLOCATE,
                    RENAME2,
                    LSEEK,
                    COPY_FILE_RANGE,
                    SETUPMAPPING,
                    REMOVEMAPPING,
                    SYNCFS,
                    TMPFILE,
                    STATX,
                    COPY_FILE_RANGE_64 -> true;
        };
    }
}
