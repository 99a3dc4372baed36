package s3csi.control;

import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A lease by the time of this process. Its holder dates it by a clock that may be wrong by hours, and the clock here may jump; so what counts
 * is how long ago this process saw the lease change. Who sees it for the first time waits for its whole duration, whatever its date.
 */
final class SeenLease {
    private final LongSupplier nanoTime;
    private final InstantSource clock;
    private @Nullable LeaderElectionRecord seen;
    private long since;

    SeenLease(LongSupplier nanoTime, InstantSource clock) {
        this.nanoTime = nanoTime;
        this.clock = clock;
    }

    /** The same record, dated as if it had been renewed when it was first seen. */
    LeaderElectionRecord datedHere(LeaderElectionRecord record) {
        long now = nanoTime.getAsLong();
        if (!record.equals(seen)) {
            seen = record;
            since = now;
        }
        return new LeaderElectionRecord(
                record.getHolderIdentity(),
                record.getLeaseDuration(),
                record.getAcquireTime(),
                clock.instant().minus(Duration.ofNanos(now - since)).atZone(ZoneOffset.UTC),
                record.getLeaderTransitions());
    }
}
