package s3csi.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.control.Leadership;
import s3csi.s3.testing.process.Await;

/** Which of two controllers may write. */
@Tag("api")
class LeadershipApiTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    private static ControlPlane plane;

    private final Queue<String> told = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void start() {
        plane = ControlPlane.start();
    }

    @AfterAll
    static void stop() {
        plane.close();
    }

    private Leadership candidate(String lease, String identity) {
        Leadership candidate = new Leadership(
                plane.client(),
                ControlPlane.MOUNTPOINT_NAMESPACE,
                lease,
                identity,
                () -> told.add(identity + " leads"),
                () -> told.add(identity + " lost"));
        candidate.start();
        return candidate;
    }

    private static void awaitLeading(Leadership candidate) {
        Await.until(SOON, () -> "it does not lead after " + SOON, candidate::isLeading);
    }

    @Test
    void oneLeadsAndTheOtherFollowsWhenItStops() {
        Leadership second;
        try (Leadership first = candidate("given-back", "first")) {
            awaitLeading(first);
            second = candidate("given-back", "second");
        }
        try (second) {
            awaitLeading(second);
            // It leads a moment before it is told.
            Await.until(SOON, () -> "told only " + told, () -> told.size() == 2);
            assertThat(told).containsExactly("first leads", "second leads");
        }
    }

    @Test
    void onlyTheHolderOfTheLeaseLeads() {
        try (Leadership first = candidate("held", "first");
                Leadership second = candidate("held", "second")) {
            Await.until(SOON, () -> "none leads", () -> first.isLeading() || second.isLeading());
            assertThat(first.isLeading()).isNotEqualTo(second.isLeading());
            Lease lease = plane.client()
                    .leases()
                    .inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                    .withName("held")
                    .get();
            assertThat(lease.getSpec().getHolderIdentity()).isEqualTo(first.isLeading() ? "first" : "second");
            assertThat(lease.getSpec().getLeaseDurationSeconds())
                    .isEqualTo(Math.toIntExact(Leadership.LEASE.toSeconds()));
        }
    }

    /** A lease of somebody else, whose clock is not ours. */
    private static Lease heldByAnother(String name, ZonedDateTime renewed) {
        return new LeaseBuilder()
                .withNewMetadata()
                .withNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity("another")
                .withLeaseDurationSeconds(Math.toIntExact(Leadership.LEASE.toSeconds()))
                .withAcquireTime(renewed)
                .withRenewTime(renewed)
                .withLeaseTransitions(1)
                .endSpec()
                .build();
    }

    private static ZonedDateTime now() {
        return ZonedDateTime.now(ZoneOffset.UTC);
    }

    @Test
    void aLeaseDatedAheadIsTakenAfterItsDurationAndNotAfterAnHour() {
        plane.client().resource(heldByAnother("ahead", now().plusHours(1))).create();
        long since = System.nanoTime();
        try (Leadership candidate = candidate("ahead", "candidate")) {
            Await.until(Leadership.LEASE.multipliedBy(3), () -> "nobody took the lease", candidate::isLeading);
            assertThat(Duration.ofNanos(System.nanoTime() - since)).isGreaterThanOrEqualTo(Leadership.LEASE);
        }
    }

    @Test
    void aLeaseDatedBackIsNotTakenWhileItsHolderRenewsIt() {
        Duration behind = Leadership.LEASE.plusSeconds(5);
        plane.client().resource(heldByAnother("back", now().minus(behind))).create();
        long since = System.nanoTime();
        AtomicLong renewals = new AtomicLong();
        try (Leadership candidate = candidate("back", "candidate")) {
            Await.until(Leadership.LEASE.multipliedBy(4), () -> "time stands still", () -> {
                Duration passed = Duration.ofNanos(System.nanoTime() - since);
                if (passed.toSeconds() / 2 > renewals.get()) {
                    renewals.incrementAndGet();
                    plane.client()
                            .leases()
                            .inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                            .withName("back")
                            .edit(lease -> {
                                assertThat(lease.getSpec().getHolderIdentity()).isEqualTo("another");
                                lease.getSpec().setRenewTime(now().minus(behind));
                                return lease;
                            });
                }
                assertThat(candidate.isLeading()).isFalse();
                return passed.compareTo(Leadership.LEASE.multipliedBy(2)) > 0;
            });
        }
    }

    /** Without an API server the lease cannot be renewed, so before its end nothing is written any more. */
    @Test
    void oneThatCannotRenewItsLeaseStopsBeforeAnotherMayTakeIt() {
        try (Leadership alone = candidate("not-renewed", "alone")) {
            awaitLeading(alone);
            long since = System.nanoTime();
            plane.killApiServer();
            try {
                Await.until(
                        SOON,
                        () -> "time stands still",
                        () -> System.nanoTime() - since
                                > Leadership.LEASE.minusSeconds(2).toNanos());
                assertThat(alone.isLeading()).isFalse();
            } finally {
                plane.restartApiServer();
            }
        }
    }
}
