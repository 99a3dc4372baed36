package s3csi.filesystem.read;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What of one open file is in memory or on its way. Few enough to look at each. Guarded by the lock of the reader. */
final class Fetches {
    private final List<Fetch> fetches = new ArrayList<>();

    boolean isEmpty() {
        return fetches.isEmpty();
    }

    void add(Fetch fetch) {
        fetches.add(fetch);
    }

    void remove(Fetch fetch) {
        fetches.remove(fetch);
    }

    @Nullable
    Fetch covering(long offset) {
        for (int i = 0; i < fetches.size(); i++) {
            if (fetches.get(i).covers(offset)) {
                return fetches.get(i);
            }
        }
        return null;
    }

    /** The end of the gap that begins at an offset nothing covers. */
    long gapEnd(long offset, long limit) {
        long end = limit;
        for (int i = 0; i < fetches.size(); i++) {
            Fetch fetch = fetches.get(i);
            if (fetch.kept() > offset && fetch.end() > fetch.kept()) {
                end = Math.min(end, fetch.kept());
            }
        }
        return end;
    }

    /** Pins all of the range, or nothing. */
    boolean pin(long from, long to, Pins pins) {
        long at = from;
        while (at < to) {
            Fetch fetch = covering(at);
            long reached = fetch == null ? at : fetch.pin(at, to, pins);
            if (reached == at) {
                pins.release();
                return false;
            }
            at = reached;
        }
        return true;
    }

    /** The first fetch on the way that part of the range waits for; null if there is none. */
    @Nullable
    Fetch pending(long from, long to) {
        long at = from;
        while (at < to) {
            Fetch fetch = covering(at);
            if (fetch == null) {
                return null;
            }
            if (fetch.isRunning() && fetch.readable() < Math.min(to, fetch.end())) {
                return fetch;
            }
            at = fetch.end();
        }
        return null;
    }

    /** Drops what no run wants and no read waits for. */
    void sweep(Cursors cursors, Demands demands) {
        for (int i = fetches.size() - 1; i >= 0; i--) {
            Fetch fetch = fetches.get(i);
            long from = fetch.kept();
            long to = fetch.end();
            long wanted = Math.min(cursors.wantedFrom(from, to), demands.wantedFrom(from, to));
            if (wanted < to) {
                fetch.dropBefore(wanted);
            } else if (fetch.isIdle()) {
                fetch.drop();
                fetches.remove(i);
            }
        }
    }
}
