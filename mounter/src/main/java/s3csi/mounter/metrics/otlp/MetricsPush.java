package s3csi.mounter.metrics.otlp;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.mounter.config.MetricsConfig.Temporality;
import s3csi.mounter.metrics.Metrics;
import s3csi.mounter.metrics.Periodic;
import s3csi.mounter.metrics.Snapshot;

/**
 * Pushes metrics to a collector, again and again and once more at the end. Trouble with the collector is the collector's: it is said
 * once in the log, the numbers are kept for the push that works, and nothing else of the mount hears of it.
 */
public final class MetricsPush implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MetricsPush.class);

    /** How long the end of a mount waits for the last push. */
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    private final Metrics metrics;
    private final Collector collector;
    private final Temporality temporality;
    private final Clock clock;
    private final Periodic periodic;

    /** What the collector has got. With cumulative numbers that stays nothing: it gets all of them every time. */
    private Snapshot delivered = Snapshot.EMPTY;

    private Instant deliveredAt;
    private boolean isFailing;

    /** Of metrics that are counted from now on. */
    public MetricsPush(Metrics metrics, Collector collector, Temporality temporality, Duration interval, Clock clock) {
        this.metrics = metrics;
        this.collector = collector;
        this.temporality = temporality;
        this.clock = clock;
        this.deliveredAt = clock.instant();
        this.periodic = new Periodic("metrics-push", interval, this::push);
    }

    public void start() {
        periodic.start();
    }

    /** The collector may have got what it did not confirm; then it counts it twice, which is better than not at all. */
    void push() {
        try {
            Snapshot now = metrics.snapshot();
            Instant at = clock.instant();
            collector.take(ExportRequest.of(now.since(delivered), temporality, deliveredAt, at));
            if (temporality == Temporality.DELTA) {
                delivered = now;
                deliveredAt = at;
            }
        } catch (IOException | RuntimeException e) {
            failed(e);
            return;
        }
        if (isFailing) {
            isFailing = false;
            LOG.info("metrics reach {} again, with all that was counted meanwhile", collector);
        }
    }

    private void failed(Exception e) {
        if (isFailing) {
            LOG.debug("metrics still cannot be pushed to {}", collector, e);
            return;
        }
        isFailing = true;
        LOG.warn(
                "metrics cannot be pushed to {}: {}; they are kept for the next push. Check that a collector listens"
                        + " there for OTLP over HTTP (usually on port 4318; 4317 is gRPC)",
                collector,
                e.getMessage() == null ? e.toString() : e.getMessage());
    }

    /** Pushes what is left, unless the collector takes too long for that. */
    @Override
    public void close() {
        if (!periodic.end(FAREWELL)) {
            LOG.warn("the last metrics did not reach {} within {} s", collector, FAREWELL.toSeconds());
        }
    }
}
