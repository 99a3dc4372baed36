package s3csi.mounter.metrics;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** Metrics in Prometheus' text format. */
final class PrometheusText {
    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    /** Ends of buckets are one below powers of four, so that each is also the end of a bucket of ours. */
    private static final int POWERS = 16;

    private final StringBuilder out = new StringBuilder(8192);
    private final Set<MetricName> described = EnumSet.noneOf(MetricName.class);

    private PrometheusText() {}

    static String of(Snapshot snapshot) {
        PrometheusText text = new PrometheusText();
        snapshot.counters().forEach(text::value);
        snapshot.gauges().forEach(text::value);
        snapshot.histograms().forEach(text::histogram);
        return text.out.toString();
    }

    private void value(Series series, long value) {
        describe(series.name());
        sample(series, "", "", Long.toString(value));
    }

    private void histogram(Series series, Distribution distribution) {
        describe(series.name());
        for (int power = 1; power <= POWERS; power++) {
            long limit = (1L << (2 * power)) - 1;
            sample(series, "_bucket", Long.toString(limit), Long.toString(distribution.countUpTo(limit)));
        }
        String count = Long.toString(distribution.count());
        sample(series, "_bucket", "+Inf", count);
        sample(series, "_sum", "", Long.toString(distribution.sum()));
        sample(series, "_count", "", count);
    }

    private void describe(MetricName name) {
        if (described.add(name)) {
            String text = name.forPrometheus();
            out.append("# HELP ").append(text).append(' ').append(name.help).append('\n');
            out.append("# TYPE ")
                    .append(text)
                    .append(' ')
                    .append(name.kind.name().toLowerCase(Locale.ROOT))
                    .append('\n');
        }
    }

    private void sample(Series series, String suffix, String limit, String value) {
        out.append(series.name().forPrometheus()).append(suffix);
        String separator = "{";
        for (int i = 0; i < series.labels().size(); i++) {
            separator = label(
                    separator, series.name().labels.get(i), series.labels().get(i));
        }
        if (!limit.isEmpty()) {
            separator = label(separator, "le", limit);
        }
        out.append(separator.equals("{") ? "" : "}").append(' ').append(value).append('\n');
    }

    private String label(String separator, String key, String value) {
        out.append(separator).append(key).append("=\"").append(escaped(value)).append('"');
        return ",";
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
