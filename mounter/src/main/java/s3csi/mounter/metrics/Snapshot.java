package s3csi.mounter.metrics;

import java.util.Map;
import java.util.TreeMap;

/** All values at one time, in the order of the names; or what came between two times. */
public record Snapshot(Map<Series, Long> counters, Map<Series, Long> gauges, Map<Series, Distribution> histograms) {
    public static final Snapshot EMPTY = new Snapshot(Map.of(), Map.of(), Map.of());

    /** What came since an earlier one: only series in which something did, and gauges as they are now. */
    public Snapshot since(Snapshot before) {
        Map<Series, Long> counted = new TreeMap<>(Series.ORDER);
        counters.forEach((series, value) -> {
            long difference = value - before.counters.getOrDefault(series, 0L);
            if (difference != 0) {
                counted.put(series, difference);
            }
        });
        Map<Series, Distribution> distributed = new TreeMap<>(Series.ORDER);
        histograms.forEach((series, value) -> {
            Distribution earlier = before.histograms.get(series);
            Distribution difference = earlier == null ? value : value.since(earlier);
            if (difference.count() != 0) {
                distributed.put(series, difference);
            }
        });
        return new Snapshot(counted, gauges, distributed);
    }
}
