package s3csi.mounter.metrics;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** All instruments of a mount. Asking for the same series twice gives the same instrument. */
public final class Metrics {
    private final Map<Series, LongAdder> counters = new ConcurrentHashMap<>();
    private final Map<Series, LongSupplier> gauges = new ConcurrentHashMap<>();
    private final Map<Series, Histogram> histograms = new ConcurrentHashMap<>();

    public LongAdder counter(MetricName name, String... labels) {
        return counters.computeIfAbsent(series(name, MetricName.Kind.COUNTER, labels), _ -> new LongAdder());
    }

    public Histogram histogram(MetricName name, String... labels) {
        return histograms.computeIfAbsent(series(name, MetricName.Kind.HISTOGRAM, labels), _ -> new Histogram());
    }

    /** The value is asked for whenever somebody looks; it must come quickly. */
    public void gauge(MetricName name, LongSupplier value) {
        gauges.put(series(name, MetricName.Kind.GAUGE), value);
    }

    private static Series series(MetricName name, MetricName.Kind kind, String... labels) {
        if (name.kind != kind) {
            throw new IllegalArgumentException(name + " is not a " + kind);
        }
        return new Series(name, List.of(labels));
    }

    public Snapshot snapshot() {
        Map<Series, Long> counted = new TreeMap<>(Series.ORDER);
        counters.forEach((series, counter) -> counted.put(series, counter.sum()));
        Map<Series, Long> measured = new TreeMap<>(Series.ORDER);
        gauges.forEach((series, value) -> measured.put(series, value.getAsLong()));
        Map<Series, Distribution> distributed = new TreeMap<>(Series.ORDER);
        histograms.forEach((series, histogram) -> distributed.put(series, histogram.snapshot()));
        return new Snapshot(counted, measured, distributed);
    }
}
