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

    Attributes directory(long number, Instant mounted) {
        return Attributes.directory(number, mounted, directoryMode, DIRECTORY_LINKS, uid, gid, BLOCK_SIZE);
    }

    Attributes file(FileInode inode) {
        LocalFile local = inode.local;
        if (local == null) {
            // An archived object shows that it cannot be read: no permissions at all.
            int mode = inode.readable ? fileMode : 0;
            return Attributes.file(inode.number(), inode.size, instant(inode.modified), mode, uid, gid, BLOCK_SIZE);
        }
        long size = local.size();
        Instant modified = instant(local.modified);
        int mode = Attributes.REGULAR_FILE | fileMode;
        long blocks = (size + 511) >>> 9;
        return new Attributes(
                inode.number(),
                size,
                blocks,
                instant(local.accessed),
                modified,
                modified,
                mode,
                1,
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
