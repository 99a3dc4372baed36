package s3csi.filesystem.inode;

import org.jspecify.annotations.Nullable;

/** Who has one file open. Guarded by the lock of {@link OpenRules}. */
final class Openings {
    int activeReaders;

    /** Readers that were closed once: they do not stand in the way of a writer. */
    int parkedReaders;

    @Nullable
    Writer writer;

    boolean isEmpty() {
        return activeReaders == 0 && parkedReaders == 0 && writer == null;
    }
}
