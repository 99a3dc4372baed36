package s3csi.reconciler.loop;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import s3csi.control.Announcements;
import s3csi.control.Backoff;
import s3csi.control.LoopMetrics;
import s3csi.control.ReconcileLoop;
import s3csi.control.WorkQueue;
import s3csi.reconciler.model.MountpointPodSettings;
import s3csi.reconciler.model.MountpointPodTemplate;

/** All of the loop, put together. It watches from {@link #watch} on, and writes from {@link #lead} on. */
public final class Controller implements AutoCloseable {
    /** A watch that is down is set up again within seconds, unless the API server is away. */
    private static final Duration BLIND_FOR = Duration.ofMinutes(5);

    /** Most of their time threads wait for the API server; more would only make it busy. */
    private static final int AT_ONCE = 8;

    /** What fails is most often a write that came second. */
    private static final Duration FIRST_WAIT = Duration.ofMillis(50);

    private final ClusterCache cache;
    private final ClusterEvents events;
    private final ReconcileLoop<Subject> loop;
    private final Cleaner cleaner;
    private volatile boolean isLeading;
    private volatile long watched = System.nanoTime();
    private @Nullable Thread cleaning;

    public Controller(
            KubernetesClient client,
            ClusterWrites writes,
            MountpointPodSettings settings,
            Clock clock,
            PrometheusRegistry registry) {
        SeenWrites seen = new SeenWrites(System::nanoTime);
        DepartedWorkloads departed = new DepartedWorkloads(System::nanoTime, Reconciler.STALE_AFTER);
        WorkQueue<Subject> queue = new WorkQueue<>(System::nanoTime);
        Announcements announcements = new Announcements(writes::announce, clock);
        LoopMetrics metrics = new LoopMetrics(
                registry,
                "s3csi_reconciles",
                "How often something was reconciled, by how it ended; a conflict means that another write came first");
        cache = new ClusterCache(client, settings.namespace());
        events = new ClusterEvents(cache, seen, departed, subject -> {
            // One that only watches remembers nothing: it looks at everything when it begins to lead.
            if (isLeading) {
                queue.add(subject);
            }
        });
        Reconciler reconciler = new Reconciler(
                cache,
                seen,
                departed,
                new Steps(cache, seen, writes, new MountpointPodTemplate(settings), announcements),
                new Notices(cache, announcements),
                settings.driverVersion(),
                clock);
        loop = new ReconcileLoop<>(
                queue,
                reconciler::reconcile,
                metrics,
                new Backoff<>(FIRST_WAIT, RandomGenerator.getDefault()),
                AT_ONCE);
        cleaner = new Cleaner(cache, events, announcements);
        metrics.show("s3csi_reconcile_queue_depth", "How much waits to be reconciled", queue::depth);
        metrics.show(
                "s3csi_reconcile_oldest_seconds",
                "For how long the oldest of it has been waiting",
                () -> queue.age().toMillis() / 1000.0);
        metrics.show(
                "s3csi_attachments",
                "Attachments in the cluster",
                () -> cache.attachments().count());
        metrics.show(
                "s3csi_mountpoint_pods",
                "Mountpoint Pods in the cluster",
                () -> cache.mountpointPods().count());
    }

    /** Returns when all that is there is known. */
    public void watch() throws InterruptedException {
        cache.start(events);
    }

    /** Brings everything into order, from now on. */
    public void lead() {
        isLeading = true;
        loop.start();
        cleaning = Thread.ofVirtual().name("cleaner").start(cleaner::run);
    }

    /** Why it does not do its work; empty while it does. */
    public Optional<String> trouble() {
        if (cache.isWatching()) {
            watched = System.nanoTime();
        } else if (System.nanoTime() - watched > BLIND_FOR.toNanos()) {
            return Optional.of("the API server has not been watched for " + BLIND_FOR.toMinutes() + " minutes");
        }
        return loop.trouble();
    }

    /** Nothing is written after this. */
    @Override
    public void close() {
        if (cleaning != null) {
            cleaning.interrupt();
        }
        loop.close();
        cache.close();
    }
}
