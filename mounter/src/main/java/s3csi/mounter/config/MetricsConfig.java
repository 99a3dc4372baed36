package s3csi.mounter.config;

import java.net.URI;
import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Who gets the metrics, beside the log.
 *
 * @param port where Prometheus may ask; empty for none
 * @param push null to push them to nobody
 */
public record MetricsConfig(OptionalInt port, @Nullable Push push) {
    /**
     * A collector that takes metrics by OpenTelemetry's protocol.
     *
     * @param address the whole one, to which metrics are posted
     */
    public record Push(URI address, Duration interval, Temporality temporality) {}

    /** What a pushed number stands for. */
    public enum Temporality {
        /** What came since the push before. */
        DELTA,
        /** What came since the start. */
        CUMULATIVE
    }
}
