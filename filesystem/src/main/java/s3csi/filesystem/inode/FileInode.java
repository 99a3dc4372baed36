package s3csi.filesystem.inode;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A file: one version of an object, or a file that is being written. */
public final class FileInode extends Inode {
    long size;

    /** Nanoseconds since the epoch. */
    long modified;

    /** Null for a file that was never stored, or whose upload failed. */
    @Nullable
    Version version;

    /** False for an archived object that was not restored. */
    boolean readable = true;

    /** Set while the file is being written, or was created and not opened yet. */
    @Nullable
    LocalFile local;

    /** Monotonic time of the last change made here; what was asked before that knows less than we do. */
    long changedAt;

    boolean changedHere;

    /** Whether its name leads to another number although it was neither removed nor replaced. */
    boolean renumbered;

    /** Whether a writer of another number may take the name back at any moment, so that the kernel must ask each time. */
    boolean lent;

    /** Whether pages that the kernel has of this number may still be those of a version before. */
    boolean pagesInDoubt;

    /** Where it was moved to before the store knew it; null if it is where it was made. In one field, so that nobody reads half of it. */
    private volatile @Nullable Place moved;

    private record Place(DirectoryInode directory, String name) {}

    FileInode(long number, DirectoryInode parent, String name) {
        super(number, parent, name);
    }

    /** The same version of the same file under another number, which the name is to lead to from now on. */
    FileInode renumbered(long number, boolean isLent) {
        FileInode next = new FileInode(number, Objects.requireNonNull(parent()), name());
        next.version = version;
        next.size = size;
        next.modified = modified;
        next.readable = readable;
        next.validUntil = validUntil;
        next.changedHere = changedHere;
        next.changedAt = changedAt;
        next.lent = isLent;
        renumbered = true;
        return next;
    }

    /** Sets times that are shown until it is stored; false if it is. */
    boolean setTimes(@Nullable Instant accessed, @Nullable Instant modified) {
        if (local == null) {
            return false;
        }
        if (accessed != null) {
            local.accessed = Appearance.nanos(accessed);
        }
        if (modified != null) {
            local.modified = Appearance.nanos(modified);
        }
        return true;
    }

    void moveTo(DirectoryInode directory, String name) {
        moved = new Place(directory, name);
    }

    @Override
    public @Nullable DirectoryInode parent() {
        Place place = moved;
        return place == null ? super.parent() : place.directory;
    }

    @Override
    public String name() {
        Place place = moved;
        return place == null ? super.name() : place.name;
    }

    @Override
    boolean isLocal() {
        return local != null;
    }

    @Override
    boolean isKept() {
        return local != null && attached;
    }

    boolean isNewerThan(long moment) {
        return changedHere && changedAt - moment > 0;
    }

    @Override
    public String key() {
        Place place = moved;
        DirectoryInode parent = place == null ? super.parent() : place.directory;
        String name = place == null ? super.name() : place.name;
        return parent == null ? name : parent.key() + name;
    }
}
