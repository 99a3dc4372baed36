package s3csi.filesystem.read;

/**
 * One run of reads through a file, and how far ahead of it to fetch.
 *
 * <p>A run begins modestly: exactly what was asked for, or as much as runs before it came to, or {@link #FIRST} bytes at the start of the
 * file. It is taken for sequential once it has read {@link #PROOF} bytes without large gaps. From then on its window is what
 * bandwidth × latency asks for: it doubles when a read had to wait, up to what the network could have delivered in the meantime.
 *
 * <p>The kernel reads ahead in requests of 128 KiB which arrive slightly out of order; {@link #SLACK} absorbs that.
 *
 * <p>Guarded by the lock of the reader.
 */
final class Cursor {
    static final long SLACK = 256 * 1024;
    static final long FIRST = 1 << 20;
    private static final long PROOF = 512 * 1024;
    private static final long PROOF_AT_START = 256 * 1024;
    private static final long KEPT_BEHIND = 1 << 20;
    /** Three GETs of a part. */
    private static final long FIRST_WINDOW = 24 << 20;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** Everything is kept: the object is small and was fetched at once. */
    private final boolean keepsAll;

    private final long expected;
    private final long born;
    private long start;
    private long position;
    private long frontier;
    private long consumed;
    private int reads;
    private long lastRead;
    private long lastNanos;
    private boolean sequential;

    private long window = FIRST_WINDOW;
    private long grownAt;
    private long grownNanos;
    private double bestRate;

    /**
     * @param expected how long the run may become, from what was seen before
     * @param read the number of the read that begins it
     */
    Cursor(long offset, boolean keepsAll, long expected, long read, long nanos) {
        this.start = offset;
        this.position = offset;
        this.frontier = offset;
        this.keepsAll = keepsAll;
        this.expected = expected;
        this.born = read;
        this.lastNanos = nanos;
    }

    /** Whether a read at this offset continues the run, and how well: the smaller the nearer; negative if it does not. */
    long distance(long offset) {
        long back = keepsAll ? Long.MAX_VALUE : sequential ? KEPT_BEHIND : SLACK;
        boolean near = position - offset <= back && offset <= Math.max(frontier, position + SLACK);
        return near ? Math.abs(offset - position) : -1;
    }

    /** A read of the run has been answered. */
    void consume(long offset, long end, long read, long nanos) {
        if (reads == 0) {
            grownAt = offset;
            grownNanos = nanos;
        }
        reads++;
        lastRead = read;
        lastNanos = nanos;
        start = Math.min(start, offset);
        consumed += end - offset;
        position = Math.max(position, end);
        frontier = Math.max(frontier, position);
    }

    /** Whether the run has just been found to be sequential. */
    boolean proves() {
        boolean dense = 4 * consumed >= 3 * (position - start);
        boolean proven = !sequential && dense && consumed >= (start == 0 ? PROOF_AT_START : PROOF) && reads > 1;
        sequential |= proven;
        return proven;
    }

    boolean isSequential() {
        return sequential;
    }

    long position() {
        return position;
    }

    /** Everything up to here has been fetched or is on its way, but for what failed. */
    long frontier() {
        return frontier;
    }

    void fetchedTo(long offset) {
        frontier = Math.max(frontier, offset);
    }

    long born() {
        return born;
    }

    long lastRead() {
        return lastRead;
    }

    long lastNanos() {
        return lastNanos;
    }

    /** How long the run has become. */
    long length() {
        return position - start;
    }

    /** What it wants to find in memory begins here. */
    long wantsFrom() {
        if (keepsAll) {
            return 0;
        }
        return sequential ? Math.max(0, position - KEPT_BEHIND) : position;
    }

    /** Up to where a fetch for a read that ends at {@code end} should go. */
    long goal(long end, long share) {
        if (sequential) {
            return end + window(share);
        }
        long modest = start == 0 ? FIRST : start + expected;
        return Math.max(end + (reads < 2 ? 0 : consumed), modest);
    }

    /** Bytes to have ahead, of what memory allows each stream. */
    long window(long share) {
        return Math.min(window, share);
    }

    /** A read had to wait for bytes that were on their way: the window is too small, unless the network cannot do more. */
    void stalled(Transfers transfers, long step, long share) {
        long best = transfers.bestNanos(step);
        long elapsed = lastNanos - grownNanos;
        // What the last growth brought shows only when bytes asked for since then have arrived.
        if (!sequential || best == 0 || elapsed < best || position - grownAt < window / 2) {
            return;
        }
        bestRate = Math.max(bestRate, (double) (position - grownAt) * NANOS_PER_SECOND / elapsed);
        long needed = 2 * (long) (bestRate * best / NANOS_PER_SECOND) + step;
        window = Math.max(window, Math.min(2 * window, Math.min(needed, share)));
        grownAt = position;
        grownNanos = lastNanos;
    }
}
