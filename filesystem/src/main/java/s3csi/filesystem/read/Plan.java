package s3csi.filesystem.read;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.memory.BufferPool;
import s3csi.s3.ByteRange;

/** Decides which ranges of one open file to fetch. Guarded by the lock of the reader. */
final class Plan {
    private static final long SMALLEST_STEP = BufferPool.BUFFER_SIZE;

    /** Up to this size, a whole object is worth the memory that is kept for reads somebody waits for. */
    private static final long SMALL_OBJECT = 1 << 20;

    private final ObjectReader reader;
    private final Readers readers;
    private final Fetches fetches;
    private final long size;
    private final long partSize;
    private boolean triedWhole;

    Plan(ObjectReader reader, Readers readers, Fetches fetches) {
        this.reader = reader;
        this.readers = readers;
        this.fetches = fetches;
        this.size = reader.version().size();
        this.partSize = readers.settings().partSize();
    }

    boolean fitsOnePart() {
        return size <= partSize;
    }

    /**
     * Fetches for whatever of the range is neither there nor on its way, not started yet. Null if memory is missing: then none
     * was made, or only some, which go on for whoever comes next.
     */
    @Nullable
    List<Fetch> fill(Cursor cursor, long from, long to) {
        Fetch whole = fetches.isEmpty() ? whole() : null;
        if (whole != null) {
            cursor.fetchedTo(size);
            return List.of(whole);
        }
        List<Fetch> made = new ArrayList<>(1);
        long at = from;
        while (at < to) {
            Fetch covering = fetches.covering(at);
            if (covering != null) {
                at = covering.end();
                continue;
            }
            Fetch fetch = gap(cursor, at, to);
            if (fetch == null) {
                made.forEach(Fetch::startInBackground);
                return null;
            }
            made.add(fetch);
            cursor.fetchedTo(fetch.end());
            at = fetch.end();
        }
        return made;
    }

    /** Starts the fetches that a sequential run should have under way. Never waits. */
    void ahead(Cursor cursor) {
        if (!cursor.isSequential()) {
            return;
        }
        long share = readers.share();
        long window = cursor.window(share);
        if (window == share) {
            readers.missMemory();
        }
        long step = step(window);
        while (cursor.frontier() < size) {
            long from = cursor.frontier();
            Fetch covering = fetches.covering(from);
            if (covering != null) {
                cursor.fetchedTo(covering.end());
                continue;
            }
            long to = fetches.gapEnd(from, Math.min(size, alignedEnd(from, step)));
            if (to - cursor.position() > window || !readers.beginPrefetch()) {
                return;
            }
            Memory memory = Memory.ahead(readers.pool(), to - from);
            if (memory == null) {
                readers.endPrefetch();
                readers.missMemory();
                return;
            }
            make(from, to, memory, false).startInBackground();
            cursor.fetchedTo(to);
        }
    }

    /** A quarter of the window: enough requests in parallel, and few enough bytes in each that they come before they are due. */
    long step(long window) {
        return Math.clamp(Long.highestOneBit(Math.max(1, window / 4)), SMALLEST_STEP, partSize);
    }

    private @Nullable Fetch whole() {
        if (triedWhole || !fitsOnePart()) {
            return null;
        }
        triedWhole = true;
        Memory memory =
                size <= SMALL_OBJECT ? Memory.needed(readers.pool(), size, size) : Memory.ahead(readers.pool(), size);
        return memory == null ? null : make(0, size, memory, true);
    }

    private @Nullable Fetch gap(Cursor cursor, long from, long to) {
        long share = readers.share();
        long gapEnd = fetches.gapEnd(from, size);
        long needed = Math.min(to, gapEnd);
        long step = step(cursor.window(share));
        long goal = Math.min(Math.min(cursor.goal(to, share), alignedEnd(from, step)), gapEnd);
        Memory memory = goal > needed ? Memory.needed(readers.pool(), needed - from, goal - from) : null;
        long end = memory == null ? needed : goal;
        if (memory == null) {
            memory = Memory.needed(readers.pool(), needed - from, needed - from);
        }
        return memory == null ? null : make(from, end, memory, true);
    }

    private Fetch make(long from, long to, Memory memory, boolean demanded) {
        Fetch fetch = new Fetch(reader, ByteRange.between(from, to), memory, demanded);
        readers.fetchBegins();
        fetches.add(fetch);
        return fetch;
    }

    private static long alignedEnd(long from, long step) {
        return (from / step + 1) * step;
    }
}
