package s3csi.filesystem.cache;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which blocks are on disk, in order of use. For any number of threads. */
final class BlockIndex {
    /** About 100 bytes of heap each. */
    static final int MOST_BLOCKS = 200_000;

    private LinkedHashMap<BlockId, Stored> blocks = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /** Where a block is and how large its file is. */
    record Stored(ObjectHash object, int fileSize) {}

    /** A block that had to go. */
    record Evicted(ObjectHash object, int number) {}

    /** Whether it is there; counts as use. */
    synchronized boolean use(BlockId id) {
        return blocks.get(id) != null;
    }

    synchronized void add(BlockId id, Stored stored) {
        Stored before = blocks.put(id, stored);
        bytes += stored.fileSize - (before == null ? 0 : before.fileSize);
    }

    synchronized void remove(BlockId id) {
        Stored stored = blocks.remove(id);
        bytes -= stored == null ? 0 : stored.fileSize;
    }

    /** Puts blocks found on disk behind those used since: {@code found} is in order of age, oldest first. */
    synchronized void addOlder(List<Map.Entry<BlockId, Stored>> found) {
        LinkedHashMap<BlockId, Stored> all = new LinkedHashMap<>(16, 0.75f, true);
        found.forEach(entry -> all.put(entry.getKey(), entry.getValue()));
        // In this order those of now come last, as the most recently used.
        blocks.forEach((id, stored) -> {
            all.remove(id);
            all.put(id, stored);
        });
        blocks = all;
        bytes = all.values().stream().mapToLong(Stored::fileSize).sum();
    }

    /** Takes out the least recently used until so many bytes and one more block fit below the limit. */
    synchronized List<Evicted> makeRoom(long wanted, long limit) {
        List<Evicted> evicted = new ArrayList<>();
        while (!blocks.isEmpty() && (bytes + wanted > limit || blocks.size() >= MOST_BLOCKS)) {
            Evicted oldest = evictOldest();
            if (oldest != null) {
                evicted.add(oldest);
            }
        }
        return evicted;
    }

    /** Takes out the least recently used; null if there is none. */
    synchronized @Nullable Evicted evictOldest() {
        Iterator<Map.Entry<BlockId, Stored>> oldest = blocks.entrySet().iterator();
        if (!oldest.hasNext()) {
            return null;
        }
        Map.Entry<BlockId, Stored> entry = oldest.next();
        oldest.remove();
        bytes -= entry.getValue().fileSize;
        return new Evicted(entry.getValue().object, entry.getKey().number());
    }

    synchronized void clear() {
        blocks.clear();
        bytes = 0;
    }

    synchronized long bytes() {
        return bytes;
    }

    synchronized int size() {
        return blocks.size();
    }
}
