package s3csi.control;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Threads that take subjects from the queue and bring them into order, and try again what fails. */
public final class ReconcileLoop<T> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReconcileLoop.class);

    /** A write takes seconds at worst. What takes longer than this is stuck. */
    private static final Duration STUCK_AFTER = Duration.ofMinutes(5);

    /** For what is being done when it stops. */
    private static final Duration TO_END = Duration.ofSeconds(2);

    private final WorkQueue<T> queue;
    private final Function<T, Optional<Duration>> reconcile;
    private final LoopMetrics metrics;
    private final Backoff<T> backoff;
    private final int most;
    private final List<Thread> threads = new ArrayList<>();

    /**
     * Does nothing before {@link #start}.
     *
     * @param reconcile brings a subject into order, and says after which time to look at it again without any event
     * @param most how many of them at a time
     */
    public ReconcileLoop(
            WorkQueue<T> queue,
            Function<T, Optional<Duration>> reconcile,
            LoopMetrics metrics,
            Backoff<T> backoff,
            int most) {
        this.queue = queue;
        this.reconcile = reconcile;
        this.metrics = metrics;
        this.backoff = backoff;
        this.most = most;
    }

    public void start() {
        for (int i = 0; i < most; i++) {
            threads.add(Thread.ofVirtual().name("reconcile-" + i).start(this::run));
        }
    }

    private void run() {
        try {
            while (true) {
                T subject = queue.take();
                try {
                    work(subject);
                } finally {
                    queue.done(subject);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void work(T subject) {
        try {
            Optional<Duration> again = reconcile.apply(subject);
            backoff.succeeded(subject);
            metrics.succeeded();
            again.ifPresent(delay -> queue.addAfter(subject, delay));
        } catch (RuntimeException e) {
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
            Duration delay = backoff.afterFailure(subject);
            if (isConflict(e)) {
                metrics.conflicted();
                LOG.atDebug().addKeyValue("subject", subject).log("{}; trying again", e.getMessage());
            } else if (e instanceof NotYet) {
                metrics.failed();
                LOG.atDebug()
                        .addKeyValue("subject", subject)
                        .addKeyValue("again", delay)
                        .log("{}; trying again", e.getMessage());
            } else {
                metrics.failed();
                LOG.atWarn()
                        .addKeyValue("subject", subject)
                        .addKeyValue("again", delay)
                        .log("cannot bring something into order; trying again", e);
            }
            queue.addAfter(subject, delay);
        }
    }

    /** Another write came first. Nothing is wrong; it is to be decided anew. */
    private static boolean isConflict(RuntimeException e) {
        return e instanceof Outdated
                || (e instanceof KubernetesClientException refused
                        && refused.getCode() == HttpURLConnection.HTTP_CONFLICT);
    }

    /** Why it does not go on; empty while it does. */
    public Optional<String> trouble() {
        Duration age = queue.age();
        return age.compareTo(STUCK_AFTER) > 0
                ? Optional.of("something has been waiting to be reconciled for " + age.toSeconds() + " seconds")
                : Optional.empty();
    }

    /** Nothing begins after this. */
    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        long end = System.nanoTime() + TO_END.toNanos();
        try {
            for (Thread thread : threads) {
                boolean _ = thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
