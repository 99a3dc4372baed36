package s3csi.filesystem.inode;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.failure.FileFailure;
import s3csi.fuse.Attributes;
import s3csi.fuse.Entry;
import s3csi.fuse.FileSystem;
import s3csi.s3.ETag;
import s3csi.s3.ObjectInfo;

/**
 * All inodes. One number is one version of one object; when the store shows another version or kind under a name, the name gets a
 * new number, and the old one lives on for those who still have it. Numbers are never used again.
 *
 * <p>An inode is kept while the kernel refers to it, a handle pins it, it has children, or the store does not know it yet.
 */
public final class InodeTable {
    private static final long FOREVER = Long.MAX_VALUE / 2;

    private final Appearance appearance;
    private final MetadataCaching caching;
    private final InodeLimits limits;
    private final Time time;
    private final Instant mounted;
    private final InodeIndex.ByNumber numbers = new InodeIndex.ByNumber();
    private final NegativeCache absent;
    private final DirectoryInode root;
    private long nextNumber = FileSystem.ROOT + 1;

    /** A table with the root only; the prefix is empty or ends in a slash. */
    public InodeTable(String prefix, Appearance appearance, MetadataCaching caching, InodeLimits limits, Time time) {
        this.appearance = appearance;
        this.caching = caching;
        this.limits = limits;
        this.time = time;
        this.mounted = time.wall().instant();
        this.absent = new NegativeCache(limits.absentNames());
        this.root = new DirectoryInode(FileSystem.ROOT, null, "", prefix);
        root.attached = true;
        numbers.add(root);
    }

    /** Attributes, and how long they hold. */
    public record Known(Attributes attributes, long validNanos) {}

    // ---- by number

    public synchronized Inode get(long number) throws FileException {
        Inode inode = numbers.find(number);
        if (inode == null) {
            throw new FileException(
                    new FileFailure.Stale(),
                    "inode " + number + " is not known (any more); its path must be walked again");
        }
        return inode;
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

    public synchronized void forget(long number, long count) {
        Inode inode = numbers.find(number);
        if (inode != null) {
            inode.lookups = Math.max(0, inode.lookups - count);
            dropIfUnused(inode);
        }
    }

    public synchronized void pin(Inode inode) {
        inode.pins++;
    }

    public synchronized void unpin(Inode inode) {
        inode.pins--;
        dropIfUnused(inode);
    }

    /** Drops an inode that an observation made and nobody took. */
    public synchronized void settle(@Nullable Inode inode) {
        if (inode != null) {
            dropIfUnused(inode);
        }
    }

    /** Whether listings should stop making inodes for every name, because the kernel keeps more than fit. */
    public synchronized boolean isCrowded() {
        return numbers.size() >= limits.listedInodes();
    }

    public synchronized int size() {
        return numbers.size();
    }

    // ---- by name, from memory

    /** What is known and still valid about a name, with a reference for the kernel; null if the store must be asked. */
    public synchronized @Nullable Entry enterKnown(DirectoryInode parent, String name) {
        Inode child = parent.children.find(name);
        return child != null && mayServe(child) ? enter(child) : null;
    }

    /** The child, if it is known and what is known is still valid. */
    public synchronized @Nullable Inode known(DirectoryInode parent, String name) {
        Inode child = parent.children.find(name);
        return child != null && mayServe(child) ? child : null;
    }

    /** The child of that name, however old what we know is. */
    public synchronized @Nullable Inode child(DirectoryInode parent, String name) {
        return parent.children.find(name);
    }

    private boolean mayServe(Inode child) {
        // Everything found in a directory proves that it exists, so that may be told also where files are always asked
        // for; the kernel gets no more than the time that is left.
        return (caching.servesLookups() || child instanceof DirectoryInode) && isFresh(child);
    }

    /** How long the name may be told to be absent without asking; 0 for not at all. */
    public synchronized long absentNanos(DirectoryInode parent, String name) {
        if (!caching.servesLookups()) {
            return 0;
        }
        return Math.max(0, absent.remaining(parent.number(), name, time.now(), caching.negativeNanos()));
    }

    /** Whether the name was found absent so recently that it may be created without asking again. */
    public synchronized boolean isFreshlyAbsent(DirectoryInode parent, String name) {
        return parent.children.find(name) == null
                && absent.remaining(parent.number(), name, time.now(), caching.absenceForCreation()) > 0;
    }

    public synchronized boolean isFresh(Inode inode) {
        return inode == root || (inode.attached && inode.validUntil - time.now() > 0);
    }

    // ---- what the store said

    /** The store has this version no more, whatever time it was to be believed for: whoever opens the file next must ask. */
    public synchronized void disbelieve(FileInode inode) {
        if (!inode.isLocal()) {
            inode.validUntil = time.now();
        }
    }

    /** Takes in what the store has under a name, and gives the kernel a reference to it; null if nothing is there. */
    public synchronized @Nullable Entry enter(DirectoryInode parent, String name, Found found, long observedAt) {
        Inode inode = observe(parent, name, found, observedAt);
        return inode == null ? null : enter(inode);
    }

    /**
     * Takes in what the store has under a name.
     *
     * @param observedAt when the store was asked; what happened here since then is known better here
     * @return the inode that the name leads to now, which the caller must {@link #settle} or hand out; null if there is none
     */
    public synchronized @Nullable Inode observe(DirectoryInode parent, String name, Found found, long observedAt) {
        Inode child = parent.children.find(name);
        return switch (found) {
            case Found.Directory() -> observeDirectory(parent, name, child);
            case Found.File(ObjectInfo object) -> observeFile(parent, name, child, object, observedAt);
            case Found.Nothing() -> observeNothing(parent, name, child, observedAt);
        };
    }

    private Inode observeDirectory(DirectoryInode parent, String name, @Nullable Inode child) {
        if (child instanceof DirectoryInode directory) {
            proveDirectory(directory);
            return directory;
        }
        // Also hides a file that is being written: its upload goes on, but the path is a directory.
        detach(child);
        DirectoryInode made = new DirectoryInode(nextNumber++, parent, name, "");
        attach(made);
        proveDirectory(made);
        return made;
    }

    private @Nullable Inode observeFile(
            DirectoryInode parent, String name, @Nullable Inode child, ObjectInfo object, long observedAt) {
        if (child != null && child.isLocal()) {
            return renew(child);
        }
        ETag etag = object.etag();
        if (etag == null) {
            throw new IllegalArgumentException("an object without ETag is no version of a file: " + object);
        }
        Version version = Version.of(etag);
        if (child instanceof FileInode file) {
            if (file.isNewerThan(observedAt)) {
                return renew(file);
            }
            if (version.equals(file.version)) {
                learn(file, object);
                return file;
            }
        }
        if (child == null && absent.isKnownSince(parent.number(), name, observedAt)) {
            return null;
        }
        detach(child);
        FileInode made = new FileInode(nextNumber++, parent, name);
        made.version = version;
        attach(made);
        learn(made, object);
        return made;
    }

    private @Nullable Inode observeNothing(DirectoryInode parent, String name, @Nullable Inode child, long observedAt) {
        if (child != null && (child.isLocal() || (child instanceof FileInode file && file.isNewerThan(observedAt)))) {
            return renew(child);
        }
        detach(child);
        absent.insert(parent.number(), name, observedAt);
        return null;
    }

    private void learn(FileInode file, ObjectInfo object) {
        file.size = object.size();
        // Some listings know fractions of a second that no HEAD tells; the time of a version must not depend on which
        // of the two was asked.
        file.modified = Appearance.nanos(object.lastModified().truncatedTo(ChronoUnit.SECONDS));
        file.readable = object.isReadable();
        file.validUntil = time.now() + caching.fileNanos();
        proveDirectory(file.parent());
    }

    private Inode renew(Inode inode) {
        inode.validUntil = time.now() + validity(inode);
        return inode;
    }

    private long validity(Inode inode) {
        return inode instanceof DirectoryInode ? caching.directoryNanos() : caching.fileNanos();
    }

    /** Something is in the directory, so it exists in the store, and so do all above it. */
    private void proveDirectory(@Nullable DirectoryInode directory) {
        long until = time.now() + caching.directoryNanos();
        for (DirectoryInode at = directory; at != null; at = at.parent()) {
            Locality.setMadeHere(at, false);
            at.validUntil = until;
        }
    }

    // ---- what happens here

    /** Makes a file that exists only here. */
    public synchronized FileInode createFile(DirectoryInode parent, String name, boolean opened) throws FileException {
        NameRules.checkFree(parent, name);
        FileInode made = new FileInode(nextNumber++, parent, name);
        made.local = new LocalFile(0, wallNanos(), opened);
        markChanged(made);
        attach(made);
        renew(made);
        return made;
    }

    public synchronized DirectoryInode createDirectory(DirectoryInode parent, String name) throws FileException {
        NameRules.checkFree(parent, name);
        DirectoryInode made = new DirectoryInode(nextNumber++, parent, name, "");
        made.local = true;
        attach(made);
        renew(made);
        return made;
    }

    /** The file is written from now on; what stat shows comes from the answer. */
    public synchronized LocalFile beginWriting(FileInode inode, long size) {
        LocalFile local = inode.local;
        if (local == null) {
            local = new LocalFile(size, wallNanos(), true);
            Locality.setLocal(inode, local);
        }
        local.opened = true;
        local.setSize(size);
        inode.pagesInDoubt = true;
        markChanged(inode);
        renew(inode);
        return local;
    }

    /** What was written is in the store; the number stands for that version now. */
    public synchronized void finishWriting(FileInode inode, ETag etag, long size) {
        LocalFile local = inode.local;
        inode.modified = local == null ? wallNanos() : local.modified;
        Locality.setLocal(inode, null);
        inode.version = Version.of(etag);
        inode.size = size;
        inode.readable = true;
        markChanged(inode);
        renew(inode);
        proveDirectory(inode.parent());
    }

    /** What was written is lost: the number stands for nothing any more, and the name for what the store has. */
    public synchronized void abandonWriting(FileInode inode) {
        if (inode.local != null) {
            // Whoever has it open still sees how far it came.
            inode.size = inode.local.size();
            inode.modified = inode.local.modified;
        }
        Locality.setLocal(inode, null);
        inode.version = null;
        inode.pagesInDoubt = true;
        detach(inode);
    }

    /**
     * Gives a file that the store does not know another name. What the store has under that name is hidden until the file is stored,
     * and replaced by it then.
     *
     * @param holder who writes the file, as the caller knows it; null for nobody
     * @return false if it is not a file that nobody but the holder writes, or not any more
     */
    public synchronized boolean move(FileInode inode, @Nullable Writer holder, DirectoryInode directory, String name)
            throws FileException {
        Writer writer = inode.openings == null ? null : inode.openings.writer;
        DirectoryInode from = inode.parent();
        if (inode.local == null || !inode.attached || !Objects.equals(writer, holder) || from == null) {
            return false;
        }
        Inode target = directory.children.find(name);
        NameRules.checkMove(inode, directory, target);
        if (target != inode) {
            absent.insert(from.number(), inode.name(), time.now());
            from.children.remove(inode);
            Locality.countLocal(from, -1);
            detach(target);
            inode.moveTo(directory, name);
            absent.remove(directory.number(), name);
            directory.children.add(inode);
            Locality.countLocal(directory, 1);
            markChanged(inode);
            renew(inode);
            empty(from);
            dropIfUnused(from);
        }
        return true;
    }

    /** The name was removed, and the store knows. */
    public synchronized void unlink(Inode inode) {
        DirectoryInode parent = inode.parent();
        if (parent != null && inode.attached) {
            absent.insert(parent.number(), inode.name(), time.now());
            empty(parent);
        }
        if (inode instanceof DirectoryInode directory) {
            directory.removed = true;
            Locality.setMadeHere(directory, false);
        }
        if (inode instanceof FileInode file && file.local != null && !file.local.opened) {
            Locality.setLocal(file, null);
        }
        detach(inode);
    }

    /**
     * What was removed may have been the last thing that made the directory exist in the store; the next look there tells. Programs
     * expect that a directory stays until rmdir, so it exists here on, for as long as the kernel remembers it: directories that are
     * emptied and left alone for ever must not fill our memory.
     */
    private void empty(DirectoryInode directory) {
        directory.validUntil = time.now();
        if (directory != root && !directory.local) {
            directory.emptied = true;
            Locality.setMadeHere(directory, true);
        }
    }

    /** Whether the directory exists only here: made by mkdir or emptied, and nothing stored below it. */
    public synchronized boolean isMadeHere(DirectoryInode directory) {
        return directory.local;
    }

    public synchronized boolean isRemoved(DirectoryInode directory) {
        return directory.removed;
    }

    /** The names in a directory that the store does not know yet, or not in their present form. */
    public synchronized List<Inode> localChildren(DirectoryInode directory) {
        List<Inode> found = new ArrayList<>();
        if (directory.localChildren == 0) {
            return found;
        }
        directory.children.forEach(child -> {
            if (child.isLocal()) {
                found.add(child);
            }
        });
        return found;
    }

    public synchronized boolean isBeingWritten(Inode inode) {
        return inode instanceof FileInode file && file.local != null;
    }

    /** Whether the number stands for nothing any more, because what was written was not stored. */
    public synchronized boolean isLost(FileInode inode) {
        return inode.local == null && inode.version == null;
    }

    /** Sets times that are shown until the store knows the file or directory; false if it does already. */
    public synchronized boolean setTimes(Inode inode, @Nullable Instant accessed, @Nullable Instant modified) {
        return switch (inode) {
            case FileInode file -> setTimes(file, accessed, modified);
            case DirectoryInode directory -> setTime(directory, modified);
        };
    }

    private boolean setTime(DirectoryInode directory, @Nullable Instant modified) {
        if (directory.local && modified != null) {
            directory.modified = modified;
        }
        return directory.local;
    }

    private boolean setTimes(FileInode file, @Nullable Instant accessed, @Nullable Instant modified) {
        if (file.local == null) {
            return false;
        }
        if (accessed != null) {
            file.local.accessed = Appearance.nanos(accessed);
        }
        if (modified != null) {
            file.local.modified = Appearance.nanos(modified);
        }
        renew(file);
        return true;
    }

    /** The version that the number stands for, with its size; null while there is none. */
    public synchronized @Nullable StoredVersion storedVersion(FileInode inode) {
        Version version = inode.version;
        return version == null ? null : new StoredVersion(version.etag(), inode.size, inode.readable);
    }

    /** Whether the kernel may keep its pages at this open; once after writing it may not. */
    public synchronized boolean takeKeepPages(FileInode inode) {
        boolean keep = !inode.pagesInDoubt;
        inode.pagesInDoubt = false;
        return keep;
    }

    // ---- answers

    /**
     * What is known of the inode if it is still valid or cannot change; null if the store must be asked. Somebody who has it open
     * asks about the version that they have, whatever the name leads to by now. The kernel does not say whether it asks for a
     * descriptor or for a path, and need not: before it asks for a path it looks the name up, which finds another number there.
     */
    public synchronized @Nullable Known attributesIfFresh(Inode inode) {
        boolean isSettled = inode.isLocal() || inode.pins > 0;
        if (isSettled || isFresh(inode)) {
            return attributes(inode);
        }
        return null;
    }

    public synchronized Known attributes(Inode inode) {
        return new Known(attributesOf(inode), remaining(inode));
    }

    private Attributes attributesOf(Inode inode) {
        return switch (inode) {
            case DirectoryInode directory ->
                appearance.directory(
                        directory.number(),
                        directory.local && directory.modified != null ? directory.modified : mounted);
            case FileInode file -> appearance.file(file);
        };
    }

    /** The entry of an inode, with one more reference of the kernel. */
    public synchronized Entry enter(Inode inode) {
        inode.lookups++;
        long valid = remaining(inode);
        return new Entry(inode.number(), 0, attributesOf(inode), valid, valid);
    }

    /** The same, unless the name does not lead to it any more. */
    public synchronized @Nullable Entry enterIfAttached(Inode inode) {
        return inode.attached ? enter(inode) : null;
    }

    private long remaining(Inode inode) {
        if (inode == root) {
            return FOREVER;
        }
        if (inode.isLocal()) {
            return validity(inode);
        }
        return inode.attached ? Math.max(0, inode.validUntil - time.now()) : 0;
    }

    // ---- inside

    private void attach(Inode inode) {
        DirectoryInode parent = inode.parent();
        if (parent != null) {
            absent.remove(parent.number(), inode.name());
            parent.children.add(inode);
        }
        inode.attached = true;
        numbers.add(inode);
        if (inode.isLocal()) {
            Locality.countLocal(parent, 1);
        }
    }

    private void detach(@Nullable Inode inode) {
        if (inode != null && inode.attached && inode.parent() != null) {
            inode.attached = false;
            inode.parent().children.remove(inode);
            if (inode.isLocal()) {
                Locality.countLocal(inode.parent(), -1);
            }
            dropIfUnused(inode);
            dropIfUnused(inode.parent());
        }
    }

    private void dropIfUnused(Inode inode) {
        boolean isNeeded = inode == root
                || inode.lookups > 0
                || inode.pins > 0
                || switch (inode) {
                    case FileInode file -> file.local != null && inode.attached;
                    case DirectoryInode directory ->
                        (directory.local && !directory.emptied) || directory.children.size() > 0;
                };
        if (isNeeded) {
            return;
        }
        if (inode instanceof DirectoryInode directory) {
            Locality.setMadeHere(directory, false);
        }
        numbers.remove(inode);
        DirectoryInode parent = inode.parent();
        if (parent != null && inode.attached) {
            inode.attached = false;
            parent.children.remove(inode);
            dropIfUnused(parent);
        }
    }

    private void markChanged(FileInode inode) {
        inode.changedHere = true;
        inode.changedAt = time.now();
    }

    private long wallNanos() {
        return Appearance.nanos(time.wall().instant());
    }
}
