package s3csi.filesystem.cache;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.memory.BufferPool;
import s3csi.filesystem.memory.RecordIndex;
import s3csi.filesystem.memory.RecordOrder;
import s3csi.filesystem.memory.Records;

/**
 * Which blocks are on disk, in order of use: 64 bytes off the heap for each, of the memory that is for names. For any number of threads.
 *
 * <p>A record has the hash of the object, the number of the block and the size of its file, the link of the index, those of the order of
 * use, and when its file was last changed.
 */
final class BlockIndex {
    static final int MOST_BLOCKS = 200_000;

    /** More than the records of that many blocks need. */
    private static final int RECORD_BITS = 24;

    private static final long OLDEST_MILLIS = (1L << 39) - 1;

    private static final int NUMBER = ObjectHash.BYTES;
    private static final int FILE_SIZE = 36;
    private static final int NEXT_IN_CHAIN = 40;
    private static final int ORDER = 44;
    private static final int IN_ORDER = 52;
    private static final int MODIFIED = 56;
    private static final int RECORD = 64;

    private final Records records;
    private final RecordIndex index;
    private final RecordOrder order;

    /** Half of what names may have, so that inodes find room. */
    private final long mostBytes;

    private int size;
    private long bytes;
    private boolean isClosed;

    /** A block that had to go. */
    record Evicted(ObjectHash object, int number) {}

    BlockIndex(BufferPool pool) {
        this.mostBytes = pool.mostForNames() / 2;
        this.records = new Records(pool);
        this.order = new RecordOrder(records, ORDER);
        this.index = new RecordIndex(pool, new RecordIndex.Links() {
            @Override
            public int hash(int record) {
                return hashOf(records.longAt(record, 8), records.intAt(record, NUMBER));
            }

            @Override
            public int next(int record) {
                return records.intAt(record, NEXT_IN_CHAIN);
            }

            @Override
            public void setNext(int record, int next) {
                records.setInt(record, NEXT_IN_CHAIN, next);
            }
        });
    }

    /** Whether it is there; counts as use. */
    synchronized boolean use(ObjectHash object, long block) {
        int record = find(object, block);
        if (record == 0) {
            return false;
        }
        leaveOrder(record);
        enterOrder(record);
        return true;
    }

    /** Adds a block that was written; false if there is no memory to remember it. */
    synchronized boolean add(ObjectHash object, long block, int fileSize) {
        int record = find(object, block);
        if (record == 0) {
            record = allocate(object, block, fileSize);
            if (record == 0) {
                return false;
            }
        } else {
            bytes += fileSize - records.intAt(record, FILE_SIZE);
            records.setInt(record, FILE_SIZE, fileSize);
            leaveOrder(record);
        }
        enterOrder(record);
        return true;
    }

    synchronized void remove(ObjectHash object, long block) {
        int record = find(object, block);
        if (record != 0) {
            drop(record);
        }
    }

    /** A block that is on disk since before; false if it cannot be remembered. {@link #sortFound} must follow. */
    synchronized boolean addFound(ObjectHash object, int block, int fileSize, long modified) {
        if (find(object, block) != 0) {
            return true;
        }
        int record = size < MOST_BLOCKS ? allocate(object, block, fileSize) : 0;
        if (record != 0) {
            records.setLong(record, MODIFIED, modified);
        }
        return record != 0;
    }

    /** Puts those that were found behind those used since, by their age. */
    synchronized void sortFound(long now) {
        long[] found = new long[Math.max(1, size)];
        int count = 0;
        for (int record = records.next(0); record != 0; record = records.next(record)) {
            if (records.intAt(record, IN_ORDER) == 0) {
                // Age and record in one number: objects would take as much of the heap as what the records are there to
                // save.
                long age = Math.clamp(now - records.longAt(record, MODIFIED), 0, OLDEST_MILLIS);
                found[count++] = (age << RECORD_BITS) | record;
            }
        }
        Arrays.sort(found, 0, count);
        for (int i = 0; i < count; i++) {
            int record = (int) found[i] & ((1 << RECORD_BITS) - 1);
            order.addOldest(record);
            records.setInt(record, IN_ORDER, 1);
        }
    }

    /** Takes out the least recently used until so many bytes and one more block fit below the limit. */
    synchronized List<Evicted> makeRoom(long wanted, long limit) {
        List<Evicted> evicted = new ArrayList<>();
        while (order.oldest() != 0 && (bytes + wanted > limit || size >= MOST_BLOCKS)) {
            evicted.add(evict(order.oldest()));
        }
        return evicted;
    }

    /** Takes out the least recently used; null if there is none. */
    synchronized @Nullable Evicted evictOldest() {
        return order.oldest() == 0 ? null : evict(order.oldest());
    }

    private Evicted evict(int record) {
        byte[] hash = new byte[ObjectHash.BYTES];
        MemorySegment.copy(records.memory(record), JAVA_BYTE, records.offset(record), hash, 0, hash.length);
        Evicted evicted = new Evicted(ObjectHash.of(hash), records.intAt(record, NUMBER));
        drop(record);
        return evicted;
    }

    /** Gives the memory back; nothing is remembered any more. */
    synchronized void close() {
        isClosed = true;
        clear();
    }

    synchronized void clear() {
        records.clear();
        index.clear();
        order.clear();
        size = 0;
        bytes = 0;
    }

    synchronized long bytes() {
        return bytes;
    }

    synchronized int size() {
        return size;
    }

    // ---- records

    private static int hashOf(long part, int block) {
        return Long.hashCode(part) * 31 + block;
    }

    private int find(ObjectHash object, long block) {
        for (int record = index.first(hashOf(object.part(), (int) block));
                record != 0;
                record = records.intAt(record, NEXT_IN_CHAIN)) {
            if (records.intAt(record, NUMBER) == block && object.isAt(records.memory(record), records.offset(record))) {
                return record;
            }
        }
        return 0;
    }

    private int allocate(ObjectHash object, long block, int fileSize) {
        boolean isAllowed = !isClosed && (records.bytes() < mostBytes || records.hasRoom(RECORD));
        int record = isAllowed ? records.allocate(RECORD) : 0;
        if (record == 0) {
            return 0;
        }
        object.putInto(records.memory(record), records.offset(record));
        records.setInt(record, NUMBER, Math.toIntExact(block));
        records.setInt(record, FILE_SIZE, fileSize);
        records.setInt(record, IN_ORDER, 0);
        if (!index.add(record)) {
            records.free(record);
            return 0;
        }
        size++;
        bytes += fileSize;
        return record;
    }

    private void drop(int record) {
        leaveOrder(record);
        index.remove(record);
        bytes -= records.intAt(record, FILE_SIZE);
        size--;
        records.free(record);
    }

    private void enterOrder(int record) {
        order.addNewest(record);
        records.setInt(record, IN_ORDER, 1);
    }

    private void leaveOrder(int record) {
        if (records.intAt(record, IN_ORDER) != 0) {
            order.remove(record);
            records.setInt(record, IN_ORDER, 0);
        }
    }
}
