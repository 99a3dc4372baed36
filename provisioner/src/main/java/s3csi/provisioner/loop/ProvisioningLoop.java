package s3csi.provisioner.loop;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.control.Announcements;
import s3csi.control.Backoff;
import s3csi.control.LoopMetrics;
import s3csi.control.ReconcileLoop;
import s3csi.control.WorkQueue;
import s3csi.provisioner.csi.CsiController;
import s3csi.provisioner.loop.ProvisioningTask.OfClaim;
import s3csi.provisioner.loop.ProvisioningTask.OfVolume;
import s3csi.volume.Driver;

/** All of the loop, put together. It watches from {@link #watch} on, and calls the driver and writes from {@link #lead} on. */
public final class ProvisioningLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProvisioningLoop.class);

    /** The store or the driver was away, or somebody has to mend something. */
    private static final Duration FIRST_WAIT = Duration.ofMillis(500);

    /** So nothing depends on an event that was missed. */
    private static final Duration LOOK_AGAIN = Duration.ofMinutes(5);

    /** As many calls of a kind as the driver works on; each may wait for a store that is slow or away. */
    private static final int AT_ONCE = 64;

    /** A call has ended after a minute and a half. What takes longer than this is stuck. */
    private static final Duration STUCK_AFTER = Duration.ofMinutes(5);

    private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

    /** A watch that is down is set up again within seconds, unless the API server is away. */
    private static final Duration BLIND_FOR = Duration.ofMinutes(5);

    private final ProvisioningCache cache;
    private final CsiController driver;
    private final WorkQueue<ProvisioningTask> queue = new WorkQueue<>(System::nanoTime);
    private final ReconcileLoop<ProvisioningTask> loop;
    private volatile boolean isLeading;
    private volatile long watched = System.nanoTime();
    private @Nullable Thread looking;

    /**
     * Puts it together; nothing happens yet.
     *
     * @param mayWrite asked before each write and each call that changes anything
     */
    public ProvisioningLoop(
            KubernetesClient client,
            CsiController driver,
            BooleanSupplier mayWrite,
            Clock clock,
            PrometheusRegistry registry) {
        this.driver = driver;
        cache = new ProvisioningCache(client);
        ProvisioningWrites writes = new ProvisioningWrites(client, mayWrite);
        Announcements announcements = new Announcements(writes::announce, clock);
        SecretReader secrets = new SecretReader(client);
        ClaimWork claims = new ClaimWork(client, cache, driver, secrets, writes, announcements, identity(clock));
        VolumeWork volumes = new VolumeWork(client, cache, driver, secrets, writes, announcements);
        LoopMetrics metrics = new LoopMetrics(
                registry,
                "s3csi_provisionings",
                "How often a claim or a volume was looked at, by how it ended; a conflict means that another write came first");
        loop = new ReconcileLoop<>(
                queue,
                task -> {
                    switch (task) {
                        case OfClaim claim -> claims.reconcile(claim);
                        case OfVolume(String name) -> volumes.reconcile(name);
                    }
                    return Optional.empty();
                },
                metrics,
                new Backoff<>(FIRST_WAIT, RandomGenerator.getDefault()),
                AT_ONCE);
        metrics.show("s3csi_provision_queue_depth", "How many claims and volumes wait to be looked at", queue::depth);
        metrics.show(
                "s3csi_provision_oldest_seconds",
                "For how long the oldest of them has been waiting",
                () -> queue.age().toMillis() / 1000.0);
    }

    /** In the form that csi-provisioner has. */
    private static String identity(Clock clock) {
        return clock.millis() + "-" + RandomGenerator.getDefault().nextInt(10_000) + "-" + Driver.NAME;
    }

    /** Returns when all that is there is known. */
    public void watch() throws InterruptedException {
        cache.start(task -> {
            // One that only watches remembers nothing: it looks at everything when it begins to lead.
            if (isLeading) {
                queue.add(task);
            }
        });
    }

    /** Brings everything into order, from now on. */
    public void lead() {
        isLeading = true;
        looking = Thread.ofVirtual().name("provisioning").start(this::run);
    }

    private void run() {
        try {
            awaitDriver();
            loop.start();
            while (true) {
                cache.everything().forEach(queue::add);
                Thread.sleep(LOOK_AGAIN);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** It starts beside this one, and may take longer. Nobody's claim fails for that. */
    private void awaitDriver() throws InterruptedException {
        String said = "";
        for (Optional<String> fault = driver.fault(); fault.isPresent(); fault = driver.fault()) {
            if (!said.equals(fault.get())) {
                LOG.warn("cannot provision yet: {}", fault.get());
                said = fault.get();
            }
            Thread.sleep(ASK_AGAIN);
        }
        LOG.info("provisioning");
    }

    /** Why it does not do its work; empty while it does. That much waits for a store that is away is no fault of it. */
    public Optional<String> trouble() {
        if (cache.isWatching()) {
            watched = System.nanoTime();
        } else if (System.nanoTime() - watched > BLIND_FOR.toNanos()) {
            return Optional.of("claims and volumes have not been watched for " + BLIND_FOR.toMinutes() + " minutes");
        }
        Duration longest = queue.longestWork();
        return longest.compareTo(STUCK_AFTER) > 0
                ? Optional.of("a claim or volume has been worked on for " + longest.toSeconds() + " seconds")
                : Optional.empty();
    }

    /** Nothing begins after this. */
    @Override
    public void close() {
        isLeading = false;
        if (looking != null) {
            looking.interrupt();
        }
        loop.close();
        cache.close();
    }
}
