package s3csi.s3.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A call on its way through the {@link StoreGate}; used by its own thread, and under the gate's lock while it waits there. */
final class Visit {
    /** Whether the attempt under way has one of the few places at the gate. */
    boolean isCounted;
    /** When the attempt under way began. */
    long begun;

    private @Nullable Outage outage;
    private @Nullable AttemptFailure last;
    private long firstFailed;
    private long lastFailed;
    private boolean hasJoined;
    private long seenProbes;
    private long leavesAt;

    /** It waits for the end of this outage, or has waited for it. */
    void waitFor(Outage now) {
        if (outage != now) {
            outage = now;
            hasJoined = false;
            now.isWaitedFor();
        }
    }

    void failed(AttemptFailure failure, long now) {
        if (last == null) {
            firstFailed = now;
        }
        last = failure;
        lastFailed = now;
    }

    /** Whether it had failed at that moment. */
    boolean hasFailedBefore(long moment) {
        return last != null && lastFailed - moment < 0;
    }

    /** Something was achieved: what failed before counts no longer. */
    void progressed() {
        last = null;
    }

    /** Why its last attempt failed; null when it had none. */
    @Nullable
    AttemptFailure last() {
        return last;
    }

    /** Since when it has been failing; the given time if it has not. */
    long failingSince(long otherwise) {
        return last == null ? otherwise : firstFailed;
    }

    /**
     * It waits for the end of a probe that is under way.
     *
     * @return for how many nanoseconds
     */
    long joinProbe(long now, Duration most) {
        if (!hasJoined) {
            hasJoined = true;
            seenProbes = outage == null ? 0 : outage.endedProbes();
            leavesAt = now + most.toNanos();
        }
        return leavesAt - now;
    }

    /** Whether it made an attempt, or the probe that it waited for has ended or takes too long. */
    boolean hasTriedEnough(long now) {
        boolean hasSeenProbe =
                hasJoined && (now - leavesAt >= 0 || (outage != null && outage.endedProbes() != seenProbes));
        return last != null || hasSeenProbe;
    }
}
