package s3csi.filesystem.inode;

import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import s3csi.s3.ETag;
import s3csi.s3.ObjectInfo;

/** Takes in what the store said. For the table, with its lock held; inodes that come in are the present ones. */
final class Observations {
    private final Inodes inodes;
    private final Beliefs beliefs;
    private final NumberSequence numbers;

    Observations(Inodes inodes, Beliefs beliefs, NumberSequence numbers) {
        this.inodes = inodes;
        this.beliefs = beliefs;
        this.numbers = numbers;
    }

    /** What the name leads to now; null if there is nothing. */
    @Nullable
    Inode observe(DirectoryInode parent, String name, Found found, long observedAt) {
        Inode child = inodes.child(parent, name);
        return switch (found) {
            case Found.Directory() -> directory(parent, name, child);
            case Found.File(ObjectInfo object) -> file(parent, name, child, object, observedAt);
            case Found.Nothing() -> nothing(parent, name, child, observedAt);
        };
    }

    private Inode directory(DirectoryInode parent, String name, @Nullable Inode child) {
        if (child instanceof DirectoryInode directory) {
            beliefs.prove(directory);
            return directory;
        }
        // Also hides a file that is being written: its upload goes on, but the path is a directory.
        inodes.detach(child);
        DirectoryInode made = new DirectoryInode(numbers.next(), parent, name, "");
        beliefs.appear(made);
        beliefs.prove(made);
        return made;
    }

    private @Nullable Inode file(
            DirectoryInode parent, String name, @Nullable Inode child, ObjectInfo object, long observedAt) {
        if (child != null && child.isLocal()) {
            return beliefs.renew(child);
        }
        ETag etag = object.etag();
        if (etag == null) {
            throw new IllegalArgumentException("an object without ETag is no version of a file: " + object);
        }
        Version version = Version.of(etag);
        if (child instanceof FileInode file) {
            if (file.isNewerThan(observedAt)) {
                return beliefs.renew(file);
            }
            if (version.equals(file.version)) {
                learn(file, object);
                return file;
            }
        }
        if (child == null && beliefs.isAbsentSince(parent, name, observedAt)) {
            return null;
        }
        inodes.detach(child);
        FileInode made = new FileInode(numbers.next(), parent, name);
        made.version = version;
        beliefs.appear(made);
        learn(made, object);
        return made;
    }

    private @Nullable Inode nothing(DirectoryInode parent, String name, @Nullable Inode child, long observedAt) {
        if (child != null && (child.isLocal() || (child instanceof FileInode file && file.isNewerThan(observedAt)))) {
            return beliefs.renew(child);
        }
        inodes.detach(child);
        beliefs.setAbsent(parent, name, observedAt);
        return null;
    }

    private void learn(FileInode file, ObjectInfo object) {
        file.size = object.size();
        // Some listings know fractions of a second that no HEAD tells; the time of a version must not depend on which
        // of the two was asked.
        file.modified = Appearance.nanos(object.lastModified().truncatedTo(ChronoUnit.SECONDS));
        file.readable = object.isReadable();
        beliefs.renew(file);
        beliefs.prove(file.parent());
    }
}
