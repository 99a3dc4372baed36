package s3csi.filesystem.inode;

import org.jspecify.annotations.Nullable;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.failure.FileFailure;
import s3csi.fuse.Entry;

/** Finds what a name leads to, by asking the store and taking its answer into the table. All of it waits. */
public final class Lookups {
    private final InodeTable table;
    private final NameProbes probes;

    public Lookups(InodeTable table, NameProbes probes) {
        this.table = table;
        this.probes = probes;
    }

    /** The entry that the name leads to now, with a reference for the kernel. */
    public Entry enter(DirectoryInode parent, String name) throws FileException, InterruptedException {
        NameProbes.Observation seen = probes.ask(parent.key() + name);
        Entry entry = table.enter(parent, name, seen.found(), seen.askedAt());
        if (entry == null) {
            throw notFound(parent, name);
        }
        return entry;
    }

    /** The inode that the name leads to, from memory where that may be trusted. The caller must settle it. */
    public @Nullable Inode find(DirectoryInode parent, String name) throws FileException, InterruptedException {
        Inode known = table.known(parent, name);
        return known != null ? known : refresh(parent, name);
    }

    /** The inode that the name leads to by what the store says now. The caller must settle it. */
    public @Nullable Inode refresh(DirectoryInode parent, String name) throws FileException, InterruptedException {
        NameProbes.Observation seen = probes.ask(parent.key() + name);
        return table.observe(parent, name, seen.found(), seen.askedAt());
    }

    /** Makes sure that the number still stands for what its name leads to. */
    public void revalidate(Inode inode) throws FileException, InterruptedException {
        DirectoryInode parent = inode.parent();
        if (parent == null) {
            return;
        }
        Inode present = refresh(parent, inode.name());
        table.settle(present);
        if (present != null && present.number() == inode.number()) {
            return;
        }
        if (present == null) {
            throw notFound(parent, inode.name());
        }
        throw new FileException(
                new FileFailure.Stale(), inode.key() + " was replaced by another version since it was looked up");
    }

    public static FileException notFound(DirectoryInode parent, String name) {
        return new FileException(new FileFailure.NotFound(), parent.key() + name + " does not exist");
    }
}
