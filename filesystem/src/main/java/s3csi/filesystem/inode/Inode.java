package s3csi.filesystem.inode;

import org.jspecify.annotations.Nullable;

/**
 * One number that the kernel knows. It stands for one version of one object, or for one directory, and never for anything else.
 * Mutable fields are guarded by the lock of the table.
 */
public abstract sealed class Inode permits FileInode, DirectoryInode {
    private final long number;
    private final @Nullable DirectoryInode parent;
    private final String name;

    /** Monotonic time up to which what is known may be told without asking the store. */
    long validUntil;

    /** References that the kernel holds. */
    long lookups;

    /** Handles of ours that need the inode although the kernel may have forgotten it. */
    int pins;

    /** Whether the parent has it under its name. If not, it was removed or replaced by another version. */
    boolean attached;

    /** Whether the table put it to rest: then it keeps it in another form, and this object is the past. */
    boolean atRest;

    Inode(long number, @Nullable DirectoryInode parent, String name) {
        this.number = number;
        this.parent = parent;
        this.name = name;
    }

    public final long number() {
        return number;
    }

    /** The directory it was found in; null for the root. */
    public @Nullable DirectoryInode parent() {
        return parent;
    }

    public String name() {
        return name;
    }

    /** Whether it exists only here, so that the store's silence about it means nothing. */
    abstract boolean isLocal();

    /** Whether it is kept although neither the kernel nor a handle of ours has it. */
    abstract boolean isKept();

    /** The key of the object, or what the keys of all objects below the directory begin with. */
    public abstract String key();
}
