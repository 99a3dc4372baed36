package s3csi.filesystem.memory;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds records by a hash that they carry: buckets off the heap, and chains that go through the records. It grows by one bucket at a
 * time (linear hashing), so that no request waits for a table that is copied. Where memory is missing, chains get longer. Not for
 * several threads at once.
 */
public final class RecordIndex {
    private static final int PER_BUFFER = BufferPool.BUFFER_SIZE / Integer.BYTES;

    private final BufferPool pool;
    private final Links links;
    private final List<Buffer> buffers = new ArrayList<>();
    /** How many buckets are in use; 0 before the first record. */
    private int buckets;

    private int size;

    /** What the records have for this index. */
    public interface Links {
        int hash(int record);

        /** The next one in its chain; 0 for none. */
        int next(int record);

        void setNext(int record, int next);
    }

    public RecordIndex(BufferPool pool, Links links) {
        this.pool = pool;
        this.links = links;
    }

    /** The first record that may have the hash; the others follow by its link. 0 for none. */
    public int first(int hash) {
        return buckets == 0 ? 0 : head(bucket(hash));
    }

    /** Adds a record; false if there is no memory for any. */
    public boolean add(int record) {
        if (buckets == 0 && !begin()) {
            return false;
        }
        grow();
        int bucket = bucket(links.hash(record));
        links.setNext(record, head(bucket));
        setHead(bucket, record);
        size++;
        return true;
    }

    public void remove(int record) {
        int bucket = bucket(links.hash(record));
        int at = head(bucket);
        if (at == record) {
            setHead(bucket, links.next(record));
        } else {
            int next = links.next(at);
            while (next != record) {
                at = next;
                next = links.next(at);
            }
            links.setNext(at, links.next(record));
        }
        size--;
        if (size == 0) {
            clear();
        }
    }

    /** Gives all memory back; no record is in it any more. */
    public void clear() {
        buffers.forEach(Buffer::release);
        buffers.clear();
        buckets = 0;
        size = 0;
    }

    private boolean begin() {
        if (!addBuffer()) {
            return false;
        }
        buckets = 1;
        setHead(0, 0);
        return true;
    }

    private void grow() {
        // A long way below 2^30, which memory for names does not reach.
        if (size < buckets) {
            return;
        }
        for (int i = 0; i < 2; i++) {
            if (buckets == buffers.size() * PER_BUFFER && !addBuffer()) {
                return;
            }
            split();
        }
    }

    /** Adds one bucket, whose records were in the bucket half as far. */
    private void split() {
        int added = buckets;
        int from = added - Integer.highestOneBit(added);
        setHead(added, 0);
        int record = head(from);
        setHead(from, 0);
        buckets++;
        while (record != 0) {
            int next = links.next(record);
            int bucket = bucket(links.hash(record));
            links.setNext(record, head(bucket));
            setHead(bucket, record);
            record = next;
        }
    }

    private int bucket(int hash) {
        int spread = hash * 0x9E3779B9;
        spread ^= spread >>> 15;
        int half = Integer.highestOneBit(buckets);
        int bucket = spread & (2 * half - 1);
        return bucket < buckets ? bucket : bucket - half;
    }

    private boolean addBuffer() {
        @Nullable Reservation reservation = pool.tryReserve(Priority.NAMES, 1);
        if (reservation == null) {
            return false;
        }
        buffers.add(reservation.take());
        return true;
    }

    private int head(int bucket) {
        return buffers.get(bucket / PER_BUFFER).memory().get(JAVA_INT, offset(bucket));
    }

    private void setHead(int bucket, int record) {
        buffers.get(bucket / PER_BUFFER).memory().set(JAVA_INT, offset(bucket), record);
    }

    private static long offset(int bucket) {
        return (long) (bucket % PER_BUFFER) * Integer.BYTES;
    }
}
