package s3csi.filesystem.inode;

import java.time.Instant;
import s3csi.fuse.Attributes;

/**
 * What all files and directories of the mount look like.
 *
 * @param fileMode permission bits of files
 * @param directoryMode permission bits of directories
 */
public record Appearance(int uid, int gid, int fileMode, int directoryMode) {
    private static final int BLOCK_SIZE = 4096;
    private static final int DIRECTORY_LINKS = 2;

    Attributes directory(DirectoryInode inode, Instant mounted) {
        Instant modified = inode.local && inode.modified != null ? inode.modified : mounted;
        return Attributes.directory(inode.number(), modified, directoryMode, DIRECTORY_LINKS, uid, gid, BLOCK_SIZE);
    }

    Attributes file(FileInode inode) {
        LocalFile local = inode.local;
        long size = local == null ? inode.size : local.size();
        Instant modified = instant(local == null ? inode.modified : local.modified);
        Instant accessed = local == null ? modified : instant(local.accessed);
        // An archived object shows that it cannot be read: no permissions at all.
        int mode = local == null && !inode.readable ? 0 : fileMode;
        // What was removed or replaced has no name any more, only descriptors.
        int links = inode.attached || inode.renumbered ? 1 : 0;
        long blocks = (size + 511) >>> 9;
        return new Attributes(
                inode.number(),
                size,
                blocks,
                accessed,
                modified,
                modified,
                Attributes.REGULAR_FILE | mode,
                links,
                uid,
                gid,
                0,
                BLOCK_SIZE);
    }

    static Instant instant(long nanos) {
        return Instant.ofEpochSecond(Math.floorDiv(nanos, 1_000_000_000L), Math.floorMod(nanos, 1_000_000_000L));
    }

    /** Nanoseconds since the epoch; a time outside of what they can hold, years 1677 to 2262, becomes the nearest. */
    static long nanos(Instant instant) {
        long seconds = Math.clamp(instant.getEpochSecond(), -9_000_000_000L, 9_000_000_000L);
        return seconds * 1_000_000_000L + instant.getNano();
    }
}
