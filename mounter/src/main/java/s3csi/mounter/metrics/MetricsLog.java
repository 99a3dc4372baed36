package s3csi.mounter.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.mounter.log.LogFilter;

/** Writes what happened since the last time to the log, every five seconds and once more at the end. */
public final class MetricsLog implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofSeconds(5);

    private final Logger log = LoggerFactory.getLogger(LogFilter.METRICS);
    private final Metrics metrics;
    private final Periodic periodic = new Periodic("metrics", PERIOD, this::write);
    private Snapshot before = Snapshot.EMPTY;

    private MetricsLog(Metrics metrics) {
        this.metrics = metrics;
    }

    /** Begins to write. Lines appear while the level of their logger allows it, which may change. */
    public static MetricsLog start(Metrics metrics) {
        MetricsLog log = new MetricsLog(metrics);
        log.periodic.start();
        return log;
    }

    private void write() {
        if (log.isInfoEnabled()) {
            Snapshot now = metrics.snapshot();
            lines(before, now).forEach(log::info);
            before = now;
        }
    }

    /** Only what changed: most series of a mount are silent most of the time. */
    static List<String> lines(Snapshot before, Snapshot now) {
        List<String> lines = new ArrayList<>();
        Snapshot difference = now.since(before);
        difference.counters().forEach((series, value) -> lines.add(series.inLog() + ": " + value));
        difference.gauges().forEach((series, value) -> {
            if (!value.equals(before.gauges().get(series))) {
                lines.add(series.inLog() + ": " + value);
            }
        });
        difference.histograms().forEach((series, value) -> lines.add(series.inLog() + ": " + value));
        return lines;
    }

    @Override
    public void close() {
        periodic.end(PERIOD);
    }
}
