package s3csi.reconciler.loop;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Threads that take subjects from the queue and bring them into order, and try again what fails. */
final class ReconcileLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReconcileLoop.class);

    /** Most of their time they wait for the API server; more would only make it busy. */
    private static final int THREADS = 8;

    /** A write takes seconds at worst. What takes longer than this is stuck. */
    static final Duration STUCK_AFTER = Duration.ofMinutes(5);

    private final WorkQueue<Subject> queue;
    private final Function<Subject, Optional<Duration>> reconcile;
    private final LoopMetrics metrics;
    private final Backoff<Subject> backoff;
    private final List<Thread> threads = new ArrayList<>();

    ReconcileLoop(
            WorkQueue<Subject> queue,
            Function<Subject, Optional<Duration>> reconcile,
            LoopMetrics metrics,
            RandomGenerator random) {
        this.queue = queue;
        this.reconcile = reconcile;
        this.metrics = metrics;
        this.backoff = new Backoff<>(random);
    }

    void start() {
        for (int i = 0; i < THREADS; i++) {
            threads.add(Thread.ofVirtual().name("reconcile-" + i).start(this::run));
        }
    }

    private void run() {
        try {
            while (true) {
                Subject subject = queue.take();
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

    private void work(Subject subject) {
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
        return e instanceof Steps.Outdated
                || (e instanceof KubernetesClientException refused
                        && refused.getCode() == HttpURLConnection.HTTP_CONFLICT);
    }

    /** Why it does not go on; empty while it does. */
    Optional<String> trouble() {
        Duration age = queue.age();
        return age.compareTo(STUCK_AFTER) > 0
                ? Optional.of("something has been waiting to be reconciled for " + age.toSeconds() + " seconds")
                : Optional.empty();
    }

    /** Nothing begins after this. */
    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        try {
            for (Thread thread : threads) {
                boolean _ = thread.join(Duration.ofSeconds(2));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
