package s3csi.fuse;

import java.time.Instant;

/**
 * The attributes of an inode as the kernel wants them.
 *
 * @param inode the number that stat shows; it may differ from the node id, but there is no reason to
 * @param size bytes
 * @param blocks units of 512 bytes
 * @param mode file type and permission bits, like {@code 0100644}
 * @param links hard links
 * @param blockSize preferred size of an I/O; not sent to kernels below 7.9
 */
public record Attributes(
        long inode,
        long size,
        long blocks,
        Instant accessed,
        Instant modified,
        Instant changed,
        int mode,
        int links,
        int uid,
        int gid,
        int device,
        int blockSize) {
    private static final int TYPE_MASK = 0170000;
    public static final int REGULAR_FILE = 0100000;
    public static final int DIRECTORY = 0040000;
    public static final int SYMBOLIC_LINK = 0120000;

    /** A regular file whose three times are the same. */
    public static Attributes file(
            long inode, long size, Instant time, int permissions, int uid, int gid, int blockSize) {
        long blocks = (size + 511) >>> 9;
        int mode = REGULAR_FILE | permissions;
        return new Attributes(inode, size, blocks, time, time, time, mode, 1, uid, gid, 0, blockSize);
    }

    /** A directory whose three times are the same. */
    public static Attributes directory(
            long inode, Instant time, int permissions, int links, int uid, int gid, int blockSize) {
        int mode = DIRECTORY | permissions;
        return new Attributes(inode, 0, 0, time, time, time, mode, links, uid, gid, 0, blockSize);
    }

    public boolean isDirectory() {
        return (mode & TYPE_MASK) == DIRECTORY;
    }
}
