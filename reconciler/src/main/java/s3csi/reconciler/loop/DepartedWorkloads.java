package s3csi.reconciler.loop;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Pods that this controller saw go, by UID. No pod ever comes back under its UID, so such a one need not be waited for. They are remembered
 * until what lists them is old enough to be taken for left behind anyway.
 */
final class DepartedWorkloads {
    private final LongSupplier nanoTime;
    private final long remembered;
    private final Set<String> uids = new HashSet<>();
    private final Deque<Departure> departures = new ArrayDeque<>();

    private record Departure(String uid, long time) {}

    DepartedWorkloads(LongSupplier nanoTime, Duration remembered) {
        this.nanoTime = nanoTime;
        this.remembered = remembered.toNanos();
    }

    synchronized void add(String uid) {
        long now = nanoTime.getAsLong();
        while (!departures.isEmpty() && now - departures.getFirst().time > remembered) {
            uids.remove(departures.removeFirst().uid);
        }
        if (uids.add(uid)) {
            departures.addLast(new Departure(uid, now));
        }
    }

    synchronized boolean contains(String uid) {
        return uids.contains(uid);
    }
}
