package s3csi.filesystem.inode;

import org.jspecify.annotations.Nullable;
import s3csi.filesystem.failure.FileException;
import s3csi.s3.ETag;

/** What happens here, whether the store knows of it already or not. For the table, with its lock held. */
final class LocalChanges {
    private final Inodes inodes;
    private final Beliefs beliefs;
    private final NumberSequence numbers;
    private final DirectoryInode root;

    /** How many inodes may be objects when one more is made. */
    private final int most;

    LocalChanges(Inodes inodes, Beliefs beliefs, NumberSequence numbers, DirectoryInode root, int most) {
        this.inodes = inodes;
        this.beliefs = beliefs;
        this.numbers = numbers;
        this.root = root;
        this.most = most;
    }

    /** Makes a file that exists only here. */
    FileInode createFile(DirectoryInode known, String name, boolean opened) throws FileException {
        DirectoryInode parent = inodes.present(known);
        NameRules.checkFree(parent, inodes.child(parent, name));
        NameRules.checkRoom(parent, name, inodes.awake(), most);
        FileInode made = new FileInode(numbers.next(), parent, name);
        made.local = new LocalFile(0, beliefs.wallNanos(), opened);
        beliefs.markChanged(made);
        beliefs.appear(made);
        beliefs.renew(made);
        return made;
    }

    DirectoryInode createDirectory(DirectoryInode known, String name) throws FileException {
        DirectoryInode parent = inodes.present(known);
        NameRules.checkFree(parent, inodes.child(parent, name));
        NameRules.checkRoom(parent, name, inodes.awake(), most);
        DirectoryInode made = new DirectoryInode(numbers.next(), parent, name, "");
        made.local = true;
        beliefs.appear(made);
        beliefs.renew(made);
        return made;
    }

    /** The file is written from now on; what stat shows comes from the answer. */
    LocalFile beginWriting(FileInode known, long size) {
        FileInode inode = inodes.present(known);
        takeNameBack(inode);
        LocalFile local = inode.local;
        if (local == null) {
            local = new LocalFile(size, beliefs.wallNanos(), true);
            Locality.setLocal(inode, local);
        }
        local.opened = true;
        local.setSize(size);
        inode.pagesInDoubt = true;
        beliefs.markChanged(inode);
        beliefs.renew(inode);
        return local;
    }

    /**
     * Gives the name another number for the same version, and leaves the old one to those who have it open.
     *
     * @param isLent whether the old number may take the name back
     * @return what the name leads to now; null if it did not lead to this number
     */
    @Nullable
    FileInode renumber(FileInode known, boolean isLent) {
        FileInode inode = inodes.present(known);
        DirectoryInode parent = inode.parent();
        if (parent == null || !inode.attached || inode.local != null) {
            return null;
        }
        FileInode next = inode.renumbered(numbers.next(), isLent);
        // The directory is neither dropped nor put to rest while the number may take the name back.
        parent.pins++;
        inodes.detach(inode);
        beliefs.appear(next);
        return next;
    }

    /** A writer whose name leads to another number by now, because somebody reads what is stored, goes on. */
    private void takeNameBack(FileInode inode) {
        DirectoryInode parent = inode.parent();
        if (!inode.renumbered || inode.attached || parent == null) {
            return;
        }
        Inode present = inodes.child(parent, inode.name());
        if (present != null && !(present instanceof FileInode file && file.local == null)) {
            return;
        }
        inode.renumbered = false;
        inodes.detach(present);
        beliefs.setPresent(parent, inode.name());
        inodes.attachAgain(inode);
        parent.pins--;
    }

    /** No other number will take the name back from this one. */
    void keepName(FileInode inode) {
        inodes.present(inode).lent = false;
    }

    /** What was written is in the store; the number stands for that version now. */
    void finishWriting(FileInode known, ETag etag, long size) {
        FileInode inode = inodes.present(known);
        LocalFile local = inode.local;
        inode.modified = local == null ? beliefs.wallNanos() : local.modified;
        Locality.setLocal(inode, null);
        inode.version = Version.of(etag);
        inode.size = size;
        inode.readable = true;
        beliefs.markChanged(inode);
        beliefs.renew(inode);
        beliefs.prove(inode.parent());
    }

    /** What was written is lost: the number stands for nothing any more, and the name for what the store has. */
    void abandonWriting(FileInode known) {
        FileInode inode = inodes.present(known);
        if (inode.local != null) {
            // Whoever has it open still sees how far it came.
            inode.size = inode.local.size();
            inode.modified = inode.local.modified;
        }
        Locality.setLocal(inode, null);
        inode.version = null;
        inode.pagesInDoubt = true;
        inodes.detach(inode);
    }

    /**
     * Gives a file that the store does not know another name. What the store has under that name is hidden until the file is stored,
     * and replaced by it then.
     *
     * @return false if it is no such file, or not any more
     */
    boolean move(FileInode known, DirectoryInode target, String name) throws FileException {
        FileInode inode = inodes.present(known);
        DirectoryInode directory = inodes.present(target);
        DirectoryInode from = inode.parent();
        if (inode.local == null || !inode.attached || from == null) {
            return false;
        }
        Inode replaced = inodes.child(directory, name);
        NameRules.checkMove(inode, directory, replaced);
        if (replaced != inode) {
            beliefs.setAbsent(from, inode.name(), beliefs.now());
            from.children.remove(inode);
            Locality.countLocal(from, -1);
            inodes.detach(replaced);
            inode.moveTo(directory, name);
            beliefs.setPresent(directory, name);
            directory.children.add(inode);
            Locality.countLocal(directory, 1);
            beliefs.markChanged(inode);
            beliefs.renew(inode);
            empty(from);
            inodes.dropIfUnused(from);
        }
        return true;
    }

    /** The name was removed, and the store knows. */
    void unlink(Inode known) {
        Inode inode = inodes.present(known);
        DirectoryInode parent = inode.parent();
        if (parent != null && inode.attached) {
            beliefs.setAbsent(parent, inode.name(), beliefs.now());
            empty(parent);
        }
        if (inode instanceof DirectoryInode directory) {
            directory.removed = true;
            Locality.setMadeHere(directory, false);
        }
        if (inode instanceof FileInode file && file.local != null && !file.local.opened) {
            Locality.setLocal(file, null);
        }
        inodes.detach(inode);
    }

    /**
     * What was removed may have been the last thing that made the directory exist in the store; the next look there tells. Programs
     * expect that a directory stays until rmdir, so it exists here on, for as long as the kernel remembers it: directories that are
     * emptied and left alone for ever must not fill our memory.
     */
    private void empty(DirectoryInode directory) {
        beliefs.doubt(directory);
        if (directory != root && !directory.local) {
            directory.emptied = true;
            Locality.setMadeHere(directory, true);
        }
    }
}
