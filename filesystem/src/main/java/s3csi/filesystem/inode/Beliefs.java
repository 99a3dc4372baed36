package s3csi.filesystem.inode;

import org.jspecify.annotations.Nullable;

/**
 * For how long what is known of names is told without asking the store again. For the table, with its lock held; inodes that come in
 * are the present ones.
 */
final class Beliefs {
    private static final long FOREVER = Long.MAX_VALUE / 2;

    private final MetadataCaching caching;
    private final Time time;
    private final Inodes inodes;
    private final DirectoryInode root;
    private final NegativeCache absent;

    Beliefs(MetadataCaching caching, Time time, Inodes inodes, DirectoryInode root, int mostAbsent) {
        this.caching = caching;
        this.time = time;
        this.inodes = inodes;
        this.root = root;
        this.absent = new NegativeCache(mostAbsent);
    }

    long now() {
        return time.now();
    }

    long wallNanos() {
        return Appearance.nanos(time.wall().instant());
    }

    // ---- what is there

    boolean isFresh(Inode inode) {
        return inode == root || (inode.attached && inode.validUntil - time.now() > 0);
    }

    boolean mayServe(Inode child) {
        // Everything found in a directory proves that it exists, so that may be told also where files are always asked
        // for; the kernel gets no more than the time that is left.
        return (caching.servesLookups() || child instanceof DirectoryInode) && isFresh(child);
    }

    /** How long the kernel may believe in it. */
    long remaining(Inode inode) {
        if (inode == root) {
            return FOREVER;
        }
        if (inode.isLocal()) {
            return validity(inode);
        }
        boolean mayLead = inode.attached && !(inode instanceof FileInode file && file.lent);
        return mayLead ? Math.max(0, inode.validUntil - time.now()) : 0;
    }

    private long validity(Inode inode) {
        return inode instanceof DirectoryInode ? caching.directoryNanos() : caching.fileNanos();
    }

    Inode renew(Inode inode) {
        inode.validUntil = time.now() + validity(inode);
        return inode;
    }

    /** A name leads to a new inode from now on. */
    void appear(Inode made) {
        DirectoryInode parent = made.parent();
        if (parent != null) {
            setPresent(parent, made.name());
        }
        inodes.attach(made);
    }

    /** Whoever needs it next must ask. */
    void doubt(Inode inode) {
        inode.validUntil = time.now();
    }

    /** Something is in the directory, so it exists in the store, and so do all above it. */
    void prove(@Nullable DirectoryInode directory) {
        long until = time.now() + caching.directoryNanos();
        for (DirectoryInode at = directory == null ? null : inodes.present(directory); at != null; at = at.parent()) {
            Locality.setMadeHere(at, false);
            at.validUntil = until;
        }
    }

    /** What was asked before now knows less of the file than we do. */
    void markChanged(FileInode inode) {
        inode.changedHere = true;
        inode.changedAt = time.now();
    }

    // ---- what is not there

    /** How long the name may be told to be absent without asking; 0 for not at all. */
    long absentNanos(DirectoryInode parent, String name) {
        if (!caching.servesLookups()) {
            return 0;
        }
        return Math.max(0, absent.remaining(parent.number(), name, time.now(), caching.negativeNanos()));
    }

    /** Whether the name was found absent so recently that it may be created without asking again. */
    boolean isFreshlyAbsent(DirectoryInode parent, String name) {
        return absent.remaining(parent.number(), name, time.now(), caching.absenceForCreation()) > 0;
    }

    /** Whether the name was found absent, or removed, after the given moment. */
    boolean isAbsentSince(DirectoryInode parent, String name, long moment) {
        return absent.isKnownSince(parent.number(), name, moment);
    }

    void setAbsent(DirectoryInode parent, String name, long learntAt) {
        absent.insert(parent.number(), name, learntAt);
    }

    void setPresent(DirectoryInode parent, String name) {
        absent.remove(parent.number(), name);
    }
}
