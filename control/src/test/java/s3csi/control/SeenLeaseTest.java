package s3csi.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class SeenLeaseTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private final AtomicLong time = new AtomicLong(17);
    private final AtomicReference<Instant> clock = new AtomicReference<>(NOW);
    private final SeenLease lease = new SeenLease(time::get, clock::get);

    private static LeaderElectionRecord renewedAt(Instant moment) {
        ZonedDateTime acquired = NOW.minusSeconds(3600).atZone(ZoneOffset.UTC);
        return new LeaderElectionRecord("other", Leadership.LEASE, acquired, moment.atZone(ZoneOffset.UTC), 3);
    }

    private Duration age(LeaderElectionRecord record) {
        return Duration.between(lease.datedHere(record).getRenewTime().toInstant(), clock.get());
    }

    private void pass(Duration duration) {
        time.addAndGet(duration.toNanos());
        clock.updateAndGet(instant -> instant.plus(duration));
    }

    @Test
    void oneThatIsDatedAheadGetsOldAsAnyOther() {
        LeaderElectionRecord ahead = renewedAt(NOW.plusSeconds(3600));
        assertThat(age(ahead)).isZero();
        pass(Leadership.LEASE);
        assertThat(age(ahead)).isEqualTo(Leadership.LEASE);
    }

    @Test
    void oneThatIsDatedBackIsYoungWheneverItIsRenewed() {
        Instant back = NOW.minusSeconds(20);
        for (int renewal = 0; renewal < 20; renewal++) {
            assertThat(age(renewedAt(back.plusSeconds(2L * renewal)))).isZero();
            pass(Duration.ofSeconds(2));
        }
    }

    @Test
    void aJumpOfTheClockHereChangesNothing() {
        LeaderElectionRecord record = renewedAt(NOW);
        assertThat(age(record)).isZero();
        pass(Duration.ofSeconds(4));
        clock.updateAndGet(instant -> instant.plus(Duration.ofHours(1)));
        assertThat(age(record)).isEqualTo(Duration.ofSeconds(4));
        clock.updateAndGet(instant -> instant.minus(Duration.ofHours(2)));
        assertThat(age(record)).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void onlyItsDateIsAnother() {
        LeaderElectionRecord record = renewedAt(NOW.plusSeconds(3600));
        assertThat(lease.datedHere(record)).isEqualTo(renewedAt(NOW));
    }
}
