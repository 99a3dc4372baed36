package s3csi.filesystem.read;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The runs of one open file, a few of them, so that several streams or threads on one descriptor do not disturb each other. Guarded by the lock of the reader. */
final class Cursors {
    private static final int MOST = 8;

    private final List<Cursor> cursors = new ArrayList<>();
    private long reads;
    private long lastRun;
    private long runBefore;

    boolean isEmpty() {
        return cursors.isEmpty();
    }

    int sequential() {
        int count = 0;
        for (int i = 0; i < cursors.size(); i++) {
            count += cursors.get(i).isSequential() ? 1 : 0;
        }
        return count;
    }

    /** The run that a read at this offset continues. */
    @Nullable
    Cursor find(long offset) {
        Cursor nearest = null;
        long least = Long.MAX_VALUE;
        for (int i = 0; i < cursors.size(); i++) {
            long distance = cursors.get(i).distance(offset);
            if (distance >= 0 && distance < least) {
                nearest = cursors.get(i);
                least = distance;
            }
        }
        return nearest;
    }

    /** A run that begins here. It is expected to become as long as the shorter of the two before it. */
    Cursor begin(long offset, boolean keepsAll, long nanos) {
        if (!cursors.isEmpty()) {
            runBefore = lastRun;
            lastRun = cursors.getLast().length();
        }
        if (cursors.size() == MOST) {
            cursors.remove(leastUseful());
        }
        long expected = Math.min(Cursor.FIRST, Math.min(lastRun, runBefore));
        Cursor cursor = new Cursor(offset, keepsAll, expected, reads, nanos);
        cursors.add(cursor);
        return cursor;
    }

    /** Notes an answered read; says whether runs were forgotten because this one is now known to have replaced them. */
    boolean consumed(Cursor cursor, long offset, long end, long nanos) {
        cursor.consume(offset, end, ++reads, nanos);
        // What was not read since this run began has been left for it.
        return cursor.proves() && cursors.removeIf(each -> each != cursor && each.lastRead() <= cursor.born());
    }

    /** Forgets the runs that were not read since then; says whether there were any. */
    boolean forgetIdle(long sinceNanos) {
        return cursors.removeIf(cursor -> cursor.lastNanos() - sinceNanos < 0);
    }

    void clear() {
        cursors.clear();
    }

    /** From where on a run wants the bytes of this range; its end if none does. */
    long wantedFrom(long from, long to) {
        long wanted = to;
        for (int i = 0; i < cursors.size(); i++) {
            Cursor cursor = cursors.get(i);
            if (from < cursor.frontier() && cursor.wantsFrom() < to) {
                wanted = Math.min(wanted, cursor.wantsFrom());
            }
        }
        return wanted;
    }

    private Cursor leastUseful() {
        Cursor least = cursors.getFirst();
        for (Cursor cursor : cursors) {
            boolean younger = cursor.lastRead() < least.lastRead();
            if (cursor.isSequential() == least.isSequential() ? younger : least.isSequential()) {
                least = cursor;
            }
        }
        return least;
    }
}
