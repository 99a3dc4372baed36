package s3csi.filesystem;

import s3csi.fuse.FileSystem;

/**
 * Where the numbers of a file system begin. A mount that moves to another process keeps what the kernel knows of it, so no number may come
 * to stand for something else there: that process begins where the one before cannot have come.
 *
 * @param inode of the first file or directory beside the root
 * @param handle of the first file or directory that is opened
 */
public record FirstNumbers(long inode, long handle) {
    /** Of a new mount. */
    public static final FirstNumbers NEW = new FirstNumbers(FileSystem.ROOT + 1, 1);
}
