package s3csi.control;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which of several controllers may write: the one that holds a lease and has renewed it lately. Another takes a lease that it has not seen
 * renewed for its whole duration, whatever the clocks say, so who could not renew it stops well before, whether it knows why or not.
 */
public final class Leadership implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);

    /** How other components of Kubernetes have it. */
    public static final Duration LEASE = Duration.ofSeconds(15);

    private static final Duration RENEW_WITHIN = Duration.ofSeconds(10);
    private static final Duration RETRY = Duration.ofSeconds(2);

    /**
     * After which a request for the lease is given up. A connection may have died without a word; there must be time for another one
     * before the lease is lost.
     */
    private static final Duration REQUEST = Duration.ofSeconds(3);

    /** No write begins later than this after the last renewal. */
    private static final Duration SURE_FOR = Duration.ofSeconds(10);

    /**
     * Notes when the lease was last renewed: the moment before the request, as the other side may count from there. Of a lease that another
     * holds, what counts is when this process saw it renewed.
     */
    private final class Lock extends LeaseLock {
        private final SeenLease seen = new SeenLease(nanoTime, Clock.systemUTC());

        Lock(String namespace, String name, String identity) {
            super(namespace, name, identity);
        }

        @Override
        public synchronized @Nullable LeaderElectionRecord get(KubernetesClient client) {
            LeaderElectionRecord record = super.get(client);
            return record == null ? null : seen.datedHere(record);
        }

        @Override
        public synchronized void create(KubernetesClient client, LeaderElectionRecord record) {
            long before = nanoTime.getAsLong();
            super.create(client, record);
            renewed = before;
        }

        @Override
        public synchronized void update(KubernetesClient client, LeaderElectionRecord record) {
            long before = nanoTime.getAsLong();
            super.update(client, record);
            renewed = before;
        }
    }

    private final KubernetesClient client;
    private final LongSupplier nanoTime;
    private final LeaderElectionConfig config;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicBoolean isLeading = new AtomicBoolean();
    private final AtomicBoolean isClosing = new AtomicBoolean();
    private volatile long renewed;
    private @Nullable CompletableFuture<?> election;

    /** An identity of this process: in a lease people find the pod by its name, and no other process has the same. */
    public static String identity(Map<String, String> environment) {
        return environment.getOrDefault("HOSTNAME", "controller") + "_" + UUID.randomUUID();
    }

    /**
     * Takes part in nothing before {@link #start}.
     *
     * @param identity differs from that of every other controller
     * @param began is called once this controller leads
     * @param lost is called when it no longer does, though it should; nothing may be written from then on
     */
    public Leadership(
            KubernetesClient client, String namespace, String lease, String identity, Runnable began, Runnable lost) {
        this(client, System::nanoTime, namespace, lease, identity, began, lost);
    }

    /** With another time than that of the machine, for what is known of the lease. */
    Leadership(
            KubernetesClient client,
            LongSupplier nanoTime,
            String namespace,
            String lease,
            String identity,
            Runnable began,
            Runnable lost) {
        this.client = hurried(client);
        this.nanoTime = nanoTime;
        this.renewed = nanoTime.getAsLong();
        this.config = new LeaderElectionConfig(
                new Lock(namespace, lease, identity),
                LEASE,
                RENEW_WITHIN,
                RETRY,
                new LeaderCallbacks(
                        () -> {
                            isLeading.set(true);
                            LOG.atInfo().addKeyValue("lease", lease).log("this controller leads");
                            began.run();
                        },
                        () -> {
                            if (isLeading.getAndSet(false) && !isClosing.get()) {
                                LOG.atError()
                                        .addKeyValue("lease", lease)
                                        .log("this controller could not renew its lease in time");
                                lost.run();
                            }
                        },
                        leader -> LOG.atInfo()
                                .addKeyValue("lease", lease)
                                .addKeyValue("leader", leader)
                                .log("who leads")),
                true,
                lease);
    }

    /** The same client, whose requests are given up soon and never repeated: the election itself tries again. */
    private static KubernetesClient hurried(KubernetesClient client) {
        RequestConfig requests = new RequestConfigBuilder(
                        client.getConfiguration().getRequestConfig())
                .withRequestTimeout((int) REQUEST.toMillis())
                .withRequestRetryBackoffLimit(0)
                .build();
        return client.newClient(requests).adapt(KubernetesClient.class);
    }

    public void start() {
        election = new LeaderElector(client, config, executor).start();
    }

    /** Whether this controller surely leads. */
    public boolean isLeading() {
        return isLeading.get() && nanoTime.getAsLong() - renewed < SURE_FOR.toNanos();
    }

    /** Gives the lease back, so that another need not wait for its end. Nothing is written from here on. */
    @Override
    public void close() {
        isClosing.set(true);
        isLeading.set(false);
        if (election != null) {
            election.cancel(true);
        }
        executor.shutdown();
        try {
            if (!executor.awaitTermination(RETRY.toSeconds(), TimeUnit.SECONDS)) {
                LOG.warn("the lease could not be given back in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
