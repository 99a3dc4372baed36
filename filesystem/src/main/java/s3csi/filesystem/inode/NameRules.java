package s3csi.filesystem.inode;

import org.jspecify.annotations.Nullable;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.failure.FileFailure;

/** Which names may be given here. For the table, with its lock held. */
final class NameRules {
    private NameRules() {}

    /** Refuses a name that is taken. */
    static void checkFree(DirectoryInode parent, @Nullable Inode child) throws FileException {
        if (parent.removed) {
            throw new FileException(new FileFailure.NotFound(), parent.key() + " was removed");
        }
        if (child != null) {
            throw new FileException(new FileFailure.AlreadyExists(), child.key() + " exists");
        }
    }

    /** Refuses another name for a file that would leave something behind in the store, or hide what may not be hidden. */
    static void checkMove(FileInode inode, DirectoryInode directory, @Nullable Inode target) throws FileException {
        if (inode.version != null) {
            throw new FileException(
                    new FileFailure.NotPermitted(),
                    inode.key()
                            + " is being written, and the store has an older version under this name; close it first");
        }
        if (directory.removed) {
            throw new FileException(new FileFailure.NotFound(), directory.key() + " was removed");
        }
        if (target instanceof DirectoryInode) {
            throw new FileException(new FileFailure.IsADirectory(), target.key() + " is a directory");
        }
        if (target != null && target != inode && target.isLocal()) {
            throw new FileException(new FileFailure.NotPermitted(), target.key() + " is being written; close it first");
        }
    }

    /** Refuses one more name that exists only here where memory has no room for it. */
    static void checkRoom(DirectoryInode parent, String name, int present, int most) throws FileException {
        if (present >= most) {
            throw new FileException(
                    new FileFailure.NoRoom(),
                    parent.key() + name + " cannot be made: " + present
                            + " files and directories are in use or exist only here, and there is no memory for more;"
                            + " put files into empty directories, or remove them");
        }
    }
}
