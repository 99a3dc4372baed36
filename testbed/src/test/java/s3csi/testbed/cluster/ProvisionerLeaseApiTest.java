package s3csi.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.control.Leadership;
import s3csi.kubernetes.Cluster;
import s3csi.provisioner.Provisioner;
import s3csi.provisioner.csi.CsiAddress;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.process.Scratch;

/** Who provisions, where several could. */
@Tag("api")
class ProvisionerLeaseApiTest {
    private static final Duration AFTER_A_LEASE = Leadership.LEASE.multipliedBy(4);

    private static ControlPlane plane;
    private static Path directory;
    private static CsiAddress address;
    private static StandInDriver driver;

    private final AtomicInteger lost = new AtomicInteger();

    @BeforeAll
    static void start() {
        plane = ControlPlane.start();
        directory = Scratch.directory("leases");
        address = new CsiAddress(directory.resolve("csi.sock"));
        driver = new StandInDriver(address.socket());
    }

    @AfterAll
    static void stop() {
        driver.close();
        plane.close();
        Scratch.delete(directory);
    }

    @AfterEach
    void nobodyLostTheLease() {
        assertThat(lost).hasValue(0);
        plane.client()
                .leases()
                .inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                .withName(Provisioner.LEASE)
                .delete();
    }

    private record Candidate(KubernetesClient client, Provisioner provisioner) implements AutoCloseable {
        @Override
        public void close() {
            provisioner.close();
            client.close();
        }
    }

    private Candidate candidate() throws InterruptedException {
        KubernetesClient client = Cluster.of(plane.kubeconfig()).connect("provisioner", "0");
        Provisioner provisioner = new Provisioner(
                client,
                address,
                ControlPlane.MOUNTPOINT_NAMESPACE,
                Clock.systemUTC(),
                new PrometheusRegistry(),
                lost::incrementAndGet);
        provisioner.start();
        return new Candidate(client, provisioner);
    }

    private static String holder() {
        var lease = plane.client()
                .leases()
                .inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                .withName("s3-csi-scality-com")
                .get();
        return lease == null || lease.getSpec().getHolderIdentity() == null
                ? ""
                : lease.getSpec().getHolderIdentity();
    }

    private static List<PersistentVolumeClaim> claims(ClaimScenario scenario, String prefix) {
        List<PersistentVolumeClaim> claims = new ArrayList<>();
        IntStream.range(0, 10).forEach(number -> claims.add(scenario.claim(prefix + number)));
        claims.forEach(scenario::awaitVolume);
        return claims;
    }

    @Test
    void ofTwoOneProvisionsAndTheOtherFollowsWhenItStops() throws Exception {
        ClaimScenario scenario = new ClaimScenario(plane.client(), "two");
        scenario.storageClass(Map.of());
        List<PersistentVolumeClaim> all = new ArrayList<>();
        Candidate second;
        try (Candidate _ = candidate()) {
            scenario.soon("the first leads", () -> !holder().isEmpty());
            second = candidate();
            all.addAll(claims(scenario, "early-"));
        }
        try (second) {
            all.addAll(claims(scenario, "late-"));
        }
        assertThat(all)
                .allSatisfy(claim ->
                        assertThat(driver.asked(ClaimScenario.volumeOf(claim))).hasSize(1));
    }

    @Test
    void whileCsiProvisionerHoldsTheLeaseItDoesTheWork() throws Exception {
        ClaimScenario scenario = new ClaimScenario(plane.client(), "sidecar");
        scenario.storageClass(Map.of());
        ZonedDateTime now = ZonedDateTime.now(ZoneOffset.UTC);
        plane.client()
                .resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                        .withName("s3-csi-scality-com")
                        .endMetadata()
                        .withNewSpec()
                        .withHolderIdentity("a-sidecar")
                        .withLeaseDurationSeconds(Math.toIntExact(Leadership.LEASE.toSeconds()))
                        .withAcquireTime(now)
                        .withRenewTime(now)
                        .withLeaseTransitions(1)
                        .endSpec()
                        .build())
                .create();
        try (Candidate candidate = candidate()) {
            PersistentVolumeClaim claim = scenario.claim("data");
            Await.until(AFTER_A_LEASE, () -> "nobody took the lease that ended", () -> {
                // In this order: what was asked for was asked for before we look who holds the lease.
                boolean isAsked = !driver.asked(ClaimScenario.volumeOf(claim)).isEmpty();
                boolean isHeldByAnother = holder().equals("a-sidecar");
                assertThat(isAsked && isHeldByAnother).isFalse();
                return !isHeldByAnother;
            });
            assertThat(Duration.between(now, ZonedDateTime.now(ZoneOffset.UTC)))
                    .isGreaterThanOrEqualTo(Leadership.LEASE.minusSeconds(1));
            scenario.awaitVolume(claim);
            assertThat(candidate.provisioner().trouble()).isEmpty();
        }
    }
}
