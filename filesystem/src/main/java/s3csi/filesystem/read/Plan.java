package s3csi.filesystem.read;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import s3csi.filesystem.memory.BufferPool;
import s3csi.s3.ByteRange;

/** Decides which ranges of one open file to fetch. Guarded by the lock of the reader. */
final class Plan {
    private static final long SMALLEST_STEP = BufferPool.BUFFER_SIZE;

    /** Below this the cost of a request shows. */
    private static final long SMALL_STEP = 1 << 20;

    /** Up to this size, a whole object is worth the memory that is kept for reads somebody waits for. */
    private static final long SMALL_OBJECT = 1 << 20;

    private final ObjectReader reader;
    private final Readers readers;
    private final Fetches fetches;
    private final long size;
    private final long partSize;
    private final @Nullable CachedBlocks blocks;
    private boolean triedWhole;

    Plan(ObjectReader reader, Readers readers, Fetches fetches) {
        this.reader = reader;
        this.readers = readers;
        this.fetches = fetches;
        this.size = reader.version().size();
        this.partSize = readers.settings().largestRequest();
        this.blocks = readers.blocksOf(reader.version());
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
        long step = step(cursor, share);
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
            CachedBlocks.Run run = blocks == null ? new CachedBlocks.Run(from, to, false) : blocks.run(from, to);
            Memory memory = Memory.ahead(readers.pool(), run.to() - run.from());
            if (memory == null) {
                readers.endPrefetch();
                readers.missMemory();
                return;
            }
            make(run, memory, false).startInBackground();
            cursor.fetchedTo(run.to());
        }
    }

    /**
     * The size of GETs. A third of the window lets enough of them run in parallel. Where memory is what limits the window, smaller
     * ones make more of it, as each byte is then reserved for a shorter time; down to where waiting for the first byte takes as long
     * as the bytes.
     */
    long step(Cursor cursor, long share) {
        long window = cursor.window(share);
        long step = window / 3;
        long balanced = readers.transfers().bytesPerLatency();
        if (window == share && balanced > 0) {
            step = Math.min(step, Math.max(balanced, SMALL_STEP));
        }
        return Math.clamp(Long.highestOneBit(Math.max(1, step)), SMALLEST_STEP, partSize);
    }

    private @Nullable Fetch whole() {
        if (triedWhole || !fitsOnePart()) {
            return null;
        }
        triedWhole = true;
        CachedBlocks.Run run = blocks == null ? new CachedBlocks.Run(0, size, false) : blocks.run(0, size);
        if (run.to() < size) {
            return null;
        }
        Memory memory =
                size <= SMALL_OBJECT ? Memory.needed(readers.pool(), size, size) : Memory.ahead(readers.pool(), size);
        return memory == null ? null : make(run, memory, true);
    }

    private @Nullable Fetch gap(Cursor cursor, long from, long to) {
        long share = readers.share();
        long gapEnd = fetches.gapEnd(from, size);
        long needed = Math.min(to, gapEnd);
        long step = step(cursor, share);
        long goal = Math.min(Math.min(cursor.goal(to, share), alignedEnd(from, step)), gapEnd);
        if (blocks != null) {
            CachedBlocks.Run run = blocks.run(from, Math.max(goal, needed));
            long waitedFor = Math.min(needed, run.to()) - run.from();
            Memory memory = Memory.needed(readers.pool(), waitedFor, run.to() - run.from());
            if (memory != null) {
                return make(run, memory, true);
            }
        }
        Memory memory = goal > needed ? Memory.needed(readers.pool(), needed - from, goal - from) : null;
        long end = memory == null ? needed : goal;
        if (memory == null) {
            memory = Memory.needed(readers.pool(), needed - from, needed - from);
        }
        return memory == null ? null : make(new CachedBlocks.Run(from, end, false), memory, true);
    }

    private Fetch make(CachedBlocks.Run run, Memory memory, boolean demanded) {
        ByteRange range = ByteRange.between(run.from(), run.to());
        Fetch fetch = new Fetch(reader, range, memory, demanded, blocks, run.onDisk());
        readers.fetchBegins();
        fetches.add(fetch);
        return fetch;
    }

    private static long alignedEnd(long from, long step) {
        return (from / step + 1) * step;
    }
}
