package s3csi.filesystem.inode;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who has one file open. Guarded by the table's monitor. */
final class Openings {
    int activeReaders;

    /** Readers that were flushed: they do not stand in the way of a writer. */
    final List<ReadClaim> parked = new ArrayList<>(1);

    @Nullable
    Writer writer;

    boolean isEmpty() {
        return activeReaders == 0 && parked.isEmpty() && writer == null;
    }
}
