package s3csi.filesystem.inode;

import org.jspecify.annotations.Nullable;

/**
 * What exists only here, as far as anybody knows: kept in each inode, and counted in the directories above it. For the table, with
 * its lock held.
 */
final class Locality {
    private Locality() {}

    static void setLocal(FileInode inode, @Nullable LocalFile local) {
        boolean was = inode.isLocal();
        inode.local = local;
        recount(inode, was);
    }

    static void setMadeHere(DirectoryInode inode, boolean local) {
        boolean was = inode.isLocal();
        inode.local = local;
        inode.emptied &= local;
        recount(inode, was);
    }

    private static void recount(Inode inode, boolean wasLocal) {
        if (inode.attached && wasLocal != inode.isLocal()) {
            countLocal(inode.parent(), wasLocal ? -1 : 1);
        }
    }

    /** One child more or less is local, which may change the same for the directory itself. */
    static void countLocal(@Nullable DirectoryInode directory, int change) {
        DirectoryInode at = directory;
        while (at != null) {
            boolean was = at.isLocal();
            at.localChildren += change;
            if (!at.attached || was == at.isLocal()) {
                return;
            }
            change = was ? -1 : 1;
            at = at.parent();
        }
    }
}
