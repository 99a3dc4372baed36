package s3csi.testbed.bench.engine;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * One turn, or the medians of several.
 *
 * @param cpuSeconds of the process that serves the mount
 * @param megabytes of resident memory at its peak, in millions of bytes
 */
record Measurement(double seconds, double cpuSeconds, double megabytes) {
    static Measurement medianOf(List<Measurement> turns) {
        return new Measurement(
                median(turns, Measurement::seconds),
                median(turns, Measurement::cpuSeconds),
                median(turns, Measurement::megabytes));
    }

    private static double median(List<Measurement> turns, ToDoubleFunction<Measurement> figure) {
        double[] sorted = turns.stream().mapToDouble(figure).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
