package s3csi.mounter.metrics;

import java.util.Comparator;
import java.util.List;

/** One metric for one choice of label values. */
public record Series(MetricName name, List<String> labels) {
    static final Comparator<Series> ORDER =
            Comparator.comparing(Series::name).thenComparing(series -> String.join(",", series.labels()));

    public Series {
        if (labels.size() != name.labels.size()) {
            throw new IllegalArgumentException(name + " has the labels " + name.labels + ", not " + labels);
        }
        labels = List.copyOf(labels);
    }

    /** {@code name(unit)[label=value,...]} */
    String inLog() {
        StringBuilder text = new StringBuilder(name.dotted);
        if (!name.unit.inLog.isEmpty()) {
            text.append('(').append(name.unit.inLog).append(')');
        }
        for (int i = 0; i < labels.size(); i++) {
            text.append(i == 0 ? '[' : ',')
                    .append(name.labels.get(i))
                    .append('=')
                    .append(labels.get(i));
        }
        return labels.isEmpty() ? text.toString() : text.append(']').toString();
    }
}
