package s3csi.filesystem;

import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.failure.FileFailure;
import s3csi.filesystem.inode.DirectoryInode;
import s3csi.filesystem.inode.FileInode;
import s3csi.filesystem.inode.Inode;
import s3csi.filesystem.inode.InodeTable;
import s3csi.filesystem.inode.Lookups;
import s3csi.filesystem.inode.ShownNames;
import s3csi.fuse.Attributes;
import s3csi.fuse.CreateReply;
import s3csi.fuse.EmptyReply;
import s3csi.fuse.Entry;
import s3csi.fuse.EntryReply;
import s3csi.linux.FileFlags;
import s3csi.s3.ObjectStore;
import s3csi.s3.StoreException;

/** Requests that look names up, make them, or remove them. */
final class NameRequests {
    private static final int TYPE_MASK = 0170000;
    private static final int RENAME_NOREPLACE = 1;

    private final ObjectStore store;
    private final InodeTable table;
    private final Lookups lookups;
    private final FileRequests files;
    private final FileSystemConfig.Permissions permissions;

    NameRequests(
            ObjectStore store,
            InodeTable table,
            Lookups lookups,
            FileRequests files,
            FileSystemConfig.Permissions permissions) {
        this.store = store;
        this.table = table;
        this.lookups = lookups;
        this.files = files;
        this.permissions = permissions;
    }

    // ---- finding

    void lookup(long parentNumber, String name, EntryReply reply) throws FileException {
        DirectoryInode parent = parent(parentNumber, name);
        Entry known = table.enterKnown(parent, name);
        if (known != null) {
            reply.entry(known);
            return;
        }
        long absent = table.absentNanos(parent, name);
        if (absent > 0) {
            reply.absent(absent);
            return;
        }
        Answering.later(reply, own -> {
            try {
                own.entry(lookups.enter(parent, name));
            } catch (FileException e) {
                if (!(e.failure() instanceof FileFailure.NotFound)) {
                    throw e;
                }
                own.absent(table.absentNanos(parent, name));
            }
        });
    }

    private DirectoryInode parent(long number, String name) throws FileException {
        DirectoryInode parent = table.directory(number);
        ShownNames.check(name);
        return parent;
    }

    // ---- making

    void mknod(long parentNumber, String name, int mode, EntryReply reply) throws FileException {
        DirectoryInode parent = parentToChange(parentNumber, name);
        int type = mode & TYPE_MASK;
        if (type != 0 && type != Attributes.REGULAR_FILE) {
            throw new FileException(
                    new FileFailure.NotSupported(), parent.key() + name + " can only be a file or a directory");
        }
        if (table.isFreshlyAbsent(parent, name)) {
            reply.entry(table.enter(table.createFile(parent, name, false)));
            return;
        }
        Answering.later(reply, own -> {
            checkAbsent(parent, name);
            own.entry(table.enter(table.createFile(parent, name, false)));
        });
    }

    void mkdir(long parentNumber, String name, EntryReply reply) throws FileException {
        DirectoryInode parent = parentToChange(parentNumber, name);
        if (table.isFreshlyAbsent(parent, name)) {
            reply.entry(table.enter(table.createDirectory(parent, name)));
            return;
        }
        Answering.later(reply, own -> {
            checkAbsent(parent, name);
            own.entry(table.enter(table.createDirectory(parent, name)));
        });
    }

    void create(long parentNumber, String name, int flags, CreateReply reply) throws FileException {
        DirectoryInode parent = parentToChange(parentNumber, name);
        // Refuses flags before anything is made.
        OpenMode.of(flags, true, permissions, () -> parent.key() + name);
        if (table.isFreshlyAbsent(parent, name)) {
            createNew(parent, name, flags, reply);
            return;
        }
        Answering.later(reply, own -> {
            Inode present = lookups.find(parent, name);
            if (present == null) {
                createNew(parent, name, flags, own);
            } else {
                openPresent(present, flags, own);
            }
        });
    }

    private void createNew(DirectoryInode parent, String name, int flags, CreateReply reply) throws FileException {
        FileInode made = table.createFile(parent, name, true);
        Entry entry = table.enter(made);
        FileRequests.Opened opened = files.openCreated(made, flags);
        reply.created(entry, opened.handle(), opened.flags());
    }

    /** Somebody made the file between the kernel's lookup and its create. */
    private void openPresent(Inode present, int flags, CreateReply reply) throws FileException, InterruptedException {
        try {
            if ((flags & FileFlags.O_EXCL) != 0) {
                throw exists(present);
            }
            if (!(present instanceof FileInode file)) {
                throw new FileException(new FileFailure.IsADirectory(), present.key() + " is a directory");
            }
            FileRequests.Opened opened = files.open(file, flags);
            reply.created(table.enter(file), opened.handle(), opened.flags());
        } finally {
            table.settle(present);
        }
    }

    private void checkAbsent(DirectoryInode parent, String name) throws FileException, InterruptedException {
        Inode present = lookups.find(parent, name);
        if (present != null) {
            table.settle(present);
            throw exists(present);
        }
    }

    /** Refuses to put a file in the place of what is there, unless that is a file that may be replaced. */
    private void checkReplaceable(DirectoryInode parent, String name) throws FileException, InterruptedException {
        Inode present = lookups.find(parent, name);
        table.settle(present);
        if (present instanceof DirectoryInode) {
            throw new FileException(new FileFailure.IsADirectory(), present.key() + " is a directory");
        }
        if (present != null && !permissions.overwrite()) {
            throw exists(present);
        }
    }

    private static FileException exists(Inode present) {
        return new FileException(new FileFailure.AlreadyExists(), present.key() + " exists");
    }

    private DirectoryInode parentToChange(long number, String name) throws FileException {
        DirectoryInode parent = parent(number, name);
        if (permissions.readOnly()) {
            throw new FileException(new FileFailure.ReadOnly(), parent.key() + " is on a read-only mount");
        }
        if (table.isRemoved(parent)) {
            throw new FileException(new FileFailure.NotFound(), parent.key() + " was removed");
        }
        return parent;
    }

    // ---- removing

    void unlink(long parentNumber, String name, EmptyReply reply) throws FileException {
        DirectoryInode parent = parentToChange(parentNumber, name);
        Answering.later(reply, own -> {
            boolean isDone;
            do {
                isDone = unlink(parent, name);
            } while (!isDone);
            own.done();
        });
    }

    /** False if somebody wrote or moved the file meanwhile, so that the name may lead to another one. */
    private boolean unlink(DirectoryInode parent, String name) throws FileException, InterruptedException {
        Inode present = lookups.find(parent, name);
        if (present == null) {
            throw Lookups.notFound(parent, name);
        }
        try {
            return unlink(parent, name, present);
        } finally {
            table.settle(present);
        }
    }

    private boolean unlink(DirectoryInode parent, String name, Inode present)
            throws FileException, InterruptedException {
        if (!(present instanceof FileInode file)) {
            throw new FileException(new FileFailure.IsADirectory(), present.key() + " is a directory");
        }
        if (!permissions.delete()) {
            throw new FileException(
                    new FileFailure.NotPermitted(),
                    file.key() + " may not be removed; mount with --allow-delete to allow it");
        }
        // Also for a file that was not stored yet: it may hide an object that somebody else stored under its name.
        return files.unlink(file, () -> {
            // A file that was moved has another key by now.
            if (!table.isIn(parent, name, file)) {
                return false;
            }
            try {
                store.delete(file.key());
                return true;
            } catch (StoreException e) {
                throw FileException.ofStore(e);
            }
        });
    }

    void rmdir(long parentNumber, String name, EmptyReply reply) throws FileException {
        DirectoryInode parent = parentToChange(parentNumber, name);
        Answering.later(reply, own -> {
            // Asks the store even where memory could answer: files may have been removed or stored since.
            boolean wasKnown = table.child(parent, name) instanceof DirectoryInode;
            Inode present = lookups.refresh(parent, name);
            if (present == null) {
                // Nothing is left below: the last file took the directory with it, which is what was asked for.
                if (wasKnown && permissions.delete()) {
                    own.done();
                    return;
                }
                throw Lookups.notFound(parent, name);
            }
            try {
                rmdir(present);
            } finally {
                table.settle(present);
            }
            own.done();
        });
    }

    private void rmdir(Inode present) throws FileException {
        if (!(present instanceof DirectoryInode directory)) {
            throw new FileException(new FileFailure.NotADirectory(), present.key() + " is not a directory");
        }
        if (!table.isMadeHere(directory)) {
            throw new FileException(
                    new FileFailure.NotPermitted(),
                    directory.key() + " exists because of the objects below it; remove those instead");
        }
        if (!table.localChildren(directory).isEmpty()) {
            throw new FileException(new FileFailure.NotEmpty(), directory.key() + " is not empty");
        }
        table.unlink(directory);
    }

    // ---- renaming

    void rename(long parentNumber, String name, long newParentNumber, String newName, int flags, EmptyReply reply)
            throws FileException {
        DirectoryInode parent = parentToChange(parentNumber, name);
        DirectoryInode newParent = parentToChange(newParentNumber, newName);
        if ((flags & ~RENAME_NOREPLACE) != 0) {
            throw new FileException(
                    new FileFailure.NotSupported(), parent.key() + name + " cannot be exchanged with another file");
        }
        boolean mayReplace = (flags & RENAME_NOREPLACE) == 0;
        Answering.later(reply, own -> {
            boolean isDone;
            do {
                isDone = rename(parent, name, newParent, newName, mayReplace);
            } while (!isDone);
            own.done();
        });
    }

    /** Only what the store does not know can get another name. False if somebody opened or closed it meanwhile. */
    private boolean rename(
            DirectoryInode parent, String name, DirectoryInode newParent, String newName, boolean mayReplace)
            throws FileException, InterruptedException {
        Inode source = lookups.find(parent, name);
        if (source == null) {
            throw Lookups.notFound(parent, name);
        }
        table.settle(source);
        if (!mayReplace) {
            checkAbsent(newParent, newName);
        }
        if (!(source instanceof FileInode file) || !table.isBeingWritten(file)) {
            throw new FileException(
                    new FileFailure.CannotRename(), source.key() + " cannot be renamed in the store, only copied");
        }
        checkReplaceable(newParent, newName);
        return files.move(file, newParent, newName);
    }
}
