package s3csi.filesystem;

import java.util.function.Supplier;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.failure.FileFailure;
import s3csi.linux.FileFlags;

/** What an open gets, by its flags and what the mount allows. */
enum OpenMode {
    READ,
    /** From the beginning, whatever is there. */
    WRITE_NEW,
    /** Behind the end of what is there. */
    WRITE_ON;

    /** The mode, or why there is none. New is a file that was created and that nobody wrote yet. */
    static OpenMode of(int flags, boolean isNew, FileSystemConfig.Permissions permissions, Supplier<String> key)
            throws FileException {
        if ((flags & (FileFlags.O_SYNC | FileFlags.O_DSYNC)) != 0) {
            throw new FileException(
                    new FileFailure.NotSupported(),
                    key.get() + " cannot be opened with O_SYNC or O_DSYNC: bytes reach the store at close or fsync");
        }
        boolean truncates = (flags & FileFlags.O_TRUNC) != 0;
        return switch (flags & FileFlags.O_ACCMODE) {
            case FileFlags.O_RDONLY -> {
                if (truncates) {
                    // The kernel takes success for an empty file.
                    throw new FileException(
                            new FileFailure.NotSupported(),
                            key.get() + " cannot be emptied by an open for reading only; open it for writing");
                }
                yield READ;
            }
            case FileFlags.O_RDWR -> {
                // Objects cannot be read and written at once, so programs that only might write get to read.
                boolean appends = (flags & FileFlags.O_APPEND) != 0 && permissions.append();
                boolean writes = isNew || (truncates && permissions.overwrite()) || appends;
                yield writes ? writing(isNew, truncates, permissions, key) : READ;
            }
            default -> writing(isNew, truncates, permissions, key);
        };
    }

    private static OpenMode writing(
            boolean isNew, boolean truncates, FileSystemConfig.Permissions permissions, Supplier<String> key)
            throws FileException {
        if (permissions.readOnly()) {
            throw new FileException(new FileFailure.ReadOnly(), key.get() + " is on a read-only mount");
        }
        if (isNew || (truncates && permissions.overwrite())) {
            return WRITE_NEW;
        }
        if (!truncates && permissions.append()) {
            return WRITE_ON;
        }
        String hint = truncates
                ? "mount with --allow-overwrite to replace files"
                : "only new files can be written; with --allow-append existing ones can be appended to, with"
                        + " --allow-overwrite they can be replaced as a whole, by O_TRUNC";
        throw new FileException(new FileFailure.NotPermitted(), key.get() + " exists and may not be written: " + hint);
    }
}
