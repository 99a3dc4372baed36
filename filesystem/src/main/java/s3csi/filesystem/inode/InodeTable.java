package s3csi.filesystem.inode;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.failure.FileFailure;
import s3csi.filesystem.memory.BufferPool;
import s3csi.fuse.Attributes;
import s3csi.fuse.Entry;
import s3csi.fuse.FileSystem;
import s3csi.s3.ETag;

/**
 * All inodes. One number is one version of one object; when the store shows another version or kind under a name, the name gets a
 * new number, and the old one lives on for those who still have it. Numbers are never used again.
 *
 * <p>One lock, which only this class can take, makes each operation whole: {@link Inodes} has the inodes, {@link Beliefs} knows how long
 * they are believed in, {@link Observations} and {@link LocalChanges} change them.
 *
 * <p>An inode is kept while the kernel refers to it, a handle pins it, it has children, or the store does not know it yet.
 */
public final class InodeTable {
    private final Object lock = new Object();
    private final Appearance appearance;
    private final HeapLimits limits;
    private final Instant mounted;
    private final Inodes inodes;
    private final Beliefs beliefs;
    private final Observations observations;
    private final LocalChanges changes;

    /** Bytes of inodes at rest beyond which the kernel should forget some. */
    private final long nearlyFull;

    private Runnable onCrowded = () -> {};

    /**
     * A table with the root only.
     *
     * @param prefix empty or ending in a slash
     * @param numbers of all other inodes
     */
    public InodeTable(
            String prefix,
            Appearance appearance,
            MetadataCaching caching,
            HeapLimits limits,
            BufferPool pool,
            Time time,
            NumberSequence numbers) {
        this.appearance = appearance;
        this.limits = limits;
        this.mounted = time.wall().instant();
        DirectoryInode root = new DirectoryInode(FileSystem.ROOT, null, "", prefix);
        root.attached = true;
        this.inodes = new Inodes(root, pool, limits.awake());
        this.beliefs = new Beliefs(caching, time, inodes, root, limits.absentNames());
        this.observations = new Observations(inodes, beliefs, numbers);
        this.changes = new LocalChanges(inodes, beliefs, numbers, root, limits.made());
        this.nearlyFull = pool.mostForNames() / 16 * 9;
    }

    /** Attributes, and how long they hold. */
    public record Known(Attributes attributes, long validNanos) {}

    // ---- by number

    public Inode get(long number) throws FileException {
        synchronized (lock) {
            makeRoom();
            Inode inode = inodes.find(number);
            if (inode == null) {
                throw new FileException(
                        new FileFailure.Stale(),
                        "inode " + number + " is not known (any more); its path must be walked again");
            }
            return inode;
        }
    }

    public DirectoryInode directory(long number) throws FileException {
        return switch (get(number)) {
            case DirectoryInode directory -> directory;
            case FileInode file ->
                throw new FileException(new FileFailure.NotADirectory(), file.key() + " is not a directory");
        };
    }

    public FileInode file(long number) throws FileException {
        return switch (get(number)) {
            case FileInode file -> file;
            case DirectoryInode directory ->
                throw new FileException(new FileFailure.IsADirectory(), directory.key() + " is a directory");
        };
    }

    public void forget(long number, long count) {
        synchronized (lock) {
            inodes.forget(number, count);
        }
    }

    public void pin(Inode inode) {
        synchronized (lock) {
            inodes.present(inode).pins++;
        }
    }

    public void unpin(Inode inode) {
        synchronized (lock) {
            Inode present = inodes.present(inode);
            present.pins--;
            inodes.dropIfUnused(present);
        }
    }

    /** Drops an inode that an observation made and nobody took. */
    public void settle(@Nullable Inode inode) {
        synchronized (lock) {
            if (inode != null) {
                inodes.dropIfUnused(inodes.present(inode));
            }
        }
    }

    /** Whether listings should stop making inodes for every name, because the kernel keeps more than fit. */
    public boolean isCrowded() {
        synchronized (lock) {
            return inodes.awake() >= limits.listedInodes();
        }
    }

    public int size() {
        synchronized (lock) {
            return inodes.size();
        }
    }

    // ---- what the kernel should forget

    /** Whom to tell that the kernel should forget names. Called with the lock held. */
    void onCrowded(Runnable action) {
        synchronized (lock) {
            onCrowded = action;
        }
    }

    /** To be called first, as it may put anything to rest that nothing holds. */
    private void makeRoom() {
        inodes.restSome();
        if (inodes.untoldBytes() > nearlyFull || inodes.isShort()) {
            onCrowded.run();
        }
    }

    /**
     * So many inodes that the kernel should forget, those that rest for longest first; none if so many bytes of others are no more than
     * enough, or it was told about all.
     */
    List<KernelMemory.Known> toForget(int most, long enough) {
        synchronized (lock) {
            return inodes.isShort() || inodes.untoldBytes() > enough ? inodes.toForget(most) : List.of();
        }
    }

    /** Puts some inodes to rest that could not be for want of memory; says whether there may be more. */
    boolean restMore() {
        synchronized (lock) {
            return inodes.restMore();
        }
    }

    void clearResting() {
        synchronized (lock) {
            inodes.clear();
        }
    }

    // ---- by name, from memory

    /** What is known and still valid about a name, with a reference for the kernel; null if the store must be asked. */
    public @Nullable Entry enterKnown(DirectoryInode parent, String name) {
        synchronized (lock) {
            makeRoom();
            Inode child = inodes.child(inodes.present(parent), name);
            return child != null && beliefs.mayServe(child) ? enter(child) : null;
        }
    }

    /** The child, if it is known and what is known is still valid. */
    public @Nullable Inode known(DirectoryInode parent, String name) {
        synchronized (lock) {
            makeRoom();
            Inode child = inodes.child(inodes.present(parent), name);
            return child != null && beliefs.mayServe(child) ? child : null;
        }
    }

    /** The child of that name, however old what we know is. */
    public @Nullable Inode child(DirectoryInode parent, String name) {
        synchronized (lock) {
            makeRoom();
            return inodes.child(inodes.present(parent), name);
        }
    }

    /** The number of the child of that name; 0 if it has none. */
    public long numberOf(DirectoryInode parent, String name) {
        synchronized (lock) {
            return inodes.numberOf(inodes.present(parent), name);
        }
    }

    /** How long the name may be told to be absent without asking; 0 for not at all. */
    public long absentNanos(DirectoryInode parent, String name) {
        synchronized (lock) {
            return beliefs.absentNanos(parent, name);
        }
    }

    /** Whether the name was found absent so recently that it may be created without asking again. */
    public boolean isFreshlyAbsent(DirectoryInode parent, String name) {
        synchronized (lock) {
            return numberOf(parent, name) == 0 && beliefs.isFreshlyAbsent(parent, name);
        }
    }

    public boolean isFresh(Inode known) {
        synchronized (lock) {
            return beliefs.isFresh(inodes.present(known));
        }
    }

    // ---- what the store said

    /** The store has this version no more, whatever time it was to be believed for: whoever opens the file next must ask. */
    public void disbelieve(FileInode known) {
        synchronized (lock) {
            FileInode inode = inodes.present(known);
            if (!inode.isLocal()) {
                beliefs.doubt(inode);
            }
        }
    }

    /** Takes in what the store has under a name, and gives the kernel a reference to it; null if nothing is there. */
    public @Nullable Entry enter(DirectoryInode parent, String name, Found found, long observedAt) {
        synchronized (lock) {
            Inode inode = observe(parent, name, found, observedAt);
            return inode == null ? null : enter(inode);
        }
    }

    /**
     * Takes in what the store has under a name.
     *
     * @param observedAt when the store was asked; what happened here since then is known better here
     * @return the inode that the name leads to now, which the caller must {@link #settle} or hand out; null if there is none
     */
    public @Nullable Inode observe(DirectoryInode known, String name, Found found, long observedAt) {
        synchronized (lock) {
            makeRoom();
            return observations.observe(inodes.present(known), name, found, observedAt);
        }
    }

    // ---- what happens here

    /** Makes a file that exists only here. */
    public FileInode createFile(DirectoryInode known, String name, boolean opened) throws FileException {
        synchronized (lock) {
            return changes.createFile(known, name, opened);
        }
    }

    public DirectoryInode createDirectory(DirectoryInode known, String name) throws FileException {
        synchronized (lock) {
            return changes.createDirectory(known, name);
        }
    }

    /** The file is written from now on; what stat shows comes from the answer. */
    public LocalFile beginWriting(FileInode known, long size) {
        synchronized (lock) {
            return changes.beginWriting(known, size);
        }
    }

    /**
     * Gives the name another number for the same version, and leaves the old one to those who have it open.
     *
     * @param isLent whether the old number may take the name back
     * @return what the name leads to now; null if it did not lead to this number
     */
    @Nullable
    FileInode renumber(FileInode known, boolean isLent) {
        synchronized (lock) {
            return changes.renumber(known, isLent);
        }
    }

    /** No other number will take the name back from this one. */
    void keepName(FileInode inode) {
        synchronized (lock) {
            changes.keepName(inode);
        }
    }

    /** What was written is in the store; the number stands for that version now. */
    public void finishWriting(FileInode known, ETag etag, long size) {
        synchronized (lock) {
            changes.finishWriting(known, etag, size);
        }
    }

    /** What was written is lost: the number stands for nothing any more, and the name for what the store has. */
    public void abandonWriting(FileInode known) {
        synchronized (lock) {
            changes.abandonWriting(known);
        }
    }

    /**
     * Gives a file that the store does not know another name. What the store has under that name is hidden until the file is stored,
     * and replaced by it then.
     *
     * @return false if it is no such file, or not any more
     */
    boolean move(FileInode known, DirectoryInode target, String name) throws FileException {
        synchronized (lock) {
            return changes.move(known, target, name);
        }
    }

    /** The name was removed, and the store knows. */
    public void unlink(Inode known) {
        synchronized (lock) {
            changes.unlink(known);
        }
    }

    /** Whether the directory exists only here: made by mkdir or emptied, and nothing stored below it. */
    public boolean isMadeHere(DirectoryInode directory) {
        synchronized (lock) {
            return inodes.present(directory).local;
        }
    }

    public boolean isRemoved(DirectoryInode directory) {
        synchronized (lock) {
            return inodes.present(directory).removed;
        }
    }

    /** The names in a directory that the store does not know yet, or not in their present form. */
    public List<Inode> localChildren(DirectoryInode directory) {
        synchronized (lock) {
            return inodes.present(directory).localOnes();
        }
    }

    public boolean isBeingWritten(Inode inode) {
        synchronized (lock) {
            return inodes.present(inode) instanceof FileInode file && file.local != null;
        }
    }

    /** Whether the file was changed here after a moment of {@link #now}. */
    boolean isChangedSince(FileInode inode, long moment) {
        synchronized (lock) {
            return inodes.present(inode).isNewerThan(moment);
        }
    }

    /** The present moment, as the table measures time. */
    public long now() {
        return beliefs.now();
    }

    /** Whether the number stands for nothing any more, because what was written was not stored. */
    public boolean isLost(FileInode known) {
        synchronized (lock) {
            FileInode inode = inodes.present(known);
            return inode.local == null && inode.version == null;
        }
    }

    /** Sets times that are shown until the store knows the file or directory; false if it does already. */
    public boolean setTimes(Inode inode, @Nullable Instant accessed, @Nullable Instant modified) {
        synchronized (lock) {
            return switch (inodes.present(inode)) {
                case FileInode file ->
                    file.setTimes(accessed, modified) && beliefs.renew(file).isLocal();
                case DirectoryInode directory -> directory.setTime(modified);
            };
        }
    }

    /** The version that the number stands for, with its size; null while there is none. */
    public @Nullable StoredVersion storedVersion(FileInode known) {
        synchronized (lock) {
            FileInode inode = inodes.present(known);
            Version version = inode.version;
            return version == null ? null : new StoredVersion(version.etag(), inode.size, inode.readable);
        }
    }

    /** Whether the kernel may keep its pages at this open; once after writing it may not. */
    public boolean takeKeepPages(FileInode known) {
        synchronized (lock) {
            FileInode inode = inodes.present(known);
            boolean keep = !inode.pagesInDoubt;
            inode.pagesInDoubt = false;
            return keep;
        }
    }

    // ---- answers

    /**
     * What is known of the inode if it is still valid or cannot change; null if the store must be asked. Somebody who has it open
     * asks about the version that they have, whatever the name leads to by now. The kernel does not say whether it asks for a
     * descriptor or for a path, and need not: before it asks for a path it looks the name up, which finds another number there.
     */
    public @Nullable Known attributesIfFresh(Inode known) {
        synchronized (lock) {
            Inode inode = inodes.present(known);
            boolean isSettled = inode.isLocal() || inode.pins > 0;
            if (isSettled || beliefs.isFresh(inode)) {
                return attributes(inode);
            }
            return null;
        }
    }

    public Known attributes(Inode known) {
        synchronized (lock) {
            Inode inode = inodes.present(known);
            return new Known(attributesOf(inode), beliefs.remaining(inode));
        }
    }

    private Attributes attributesOf(Inode inode) {
        return switch (inode) {
            case DirectoryInode directory -> appearance.directory(directory, mounted);
            case FileInode file -> appearance.file(file);
        };
    }

    /** The entry of an inode, with one more reference of the kernel. */
    public Entry enter(Inode known) {
        synchronized (lock) {
            Inode inode = inodes.present(known);
            inode.lookups++;
            long valid = beliefs.remaining(inode);
            return new Entry(inode.number(), 0, attributesOf(inode), valid, valid);
        }
    }

    /** The same, unless the name in the directory does not lead to it any more. */
    public @Nullable Entry enterIfIn(DirectoryInode directory, String name, Inode inode) {
        synchronized (lock) {
            return isIn(directory, name, inode) ? enter(inode) : null;
        }
    }

    /** Whether the name in the directory leads to the inode: it may have been removed, replaced, or moved elsewhere. */
    public boolean isIn(DirectoryInode directory, String name, Inode inode) {
        synchronized (lock) {
            return inodes.numberOf(inodes.present(directory), name) == inode.number();
        }
    }
}
