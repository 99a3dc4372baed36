package s3csi.filesystem.inode;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Names that were not there, and when that was learnt. Bounded; the entry inserted longest ago goes first. Guarded by the lock
 * of the table.
 */
final class NegativeCache {
    private final int capacity;
    private final LinkedHashMap<Name, Long> absentSince = new LinkedHashMap<>();

    NegativeCache(int capacity) {
        this.capacity = capacity;
    }

    private record Name(long parent, String name) {}

    void insert(long parent, String name, long learntAt) {
        Name key = new Name(parent, name);
        // Taken out first, so that it counts as inserted now.
        absentSince.remove(key);
        absentSince.put(key, learntAt);
        if (absentSince.size() > capacity) {
            Map.Entry<Name, Long> oldest = absentSince.firstEntry();
            absentSince.remove(oldest.getKey());
        }
    }

    void remove(long parent, String name) {
        absentSince.remove(new Name(parent, name));
    }

    /** How long the name may still be believed absent; 0 or less for not at all. */
    long remaining(long parent, String name, long now, long validity) {
        Long learntAt = absentSince.get(new Name(parent, name));
        return learntAt == null ? 0 : learntAt + validity - now;
    }

    /** Whether the name was found absent, or removed, after the given moment. */
    boolean isKnownSince(long parent, String name, long moment) {
        Long learntAt = absentSince.get(new Name(parent, name));
        return learntAt != null && learntAt - moment > 0;
    }

    int size() {
        return absentSince.size();
    }
}
