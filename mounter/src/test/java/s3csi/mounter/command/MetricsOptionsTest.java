package s3csi.mounter.command;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.mounter.command.CommandLines.config;
import static s3csi.mounter.command.CommandLines.line;
import static s3csi.mounter.command.CommandLines.startFailure;
import static s3csi.mounter.command.CommandLines.usageError;
import static s3csi.mounter.command.CommandLines.with;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.mounter.config.MetricsConfig;
import s3csi.mounter.config.MetricsConfig.Temporality;
import s3csi.mounter.config.MountConfig;

final class MetricsOptionsTest {
    private static final String ENDPOINT = "--otlp-endpoint=http://collector:4318";

    private static MetricsConfig.Push push(MountConfig config) {
        return requireNonNull(config.metrics().push());
    }

    @Test
    void nobodyGetsMetricsUnasked() throws Exception {
        assertThat(with().metrics().push()).isNull();
        assertThat(with().metrics().port()).isEmpty();
    }

    @Test
    void metricsArePushedEveryMinute() throws Exception {
        assertThat(with(ENDPOINT).metrics().push())
                .isEqualTo(new MetricsConfig.Push(
                        URI.create("http://collector:4318/v1/metrics"), Duration.ofMinutes(1), Temporality.DELTA));
        assertThat(push(with(ENDPOINT, "--otlp-export-interval=5")).interval()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void theyCanBePushedWithoutALog() throws Exception {
        assertThat(with(ENDPOINT, "--no-log").metrics().push()).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({
        "http://collector:4318, http://collector:4318/v1/metrics",
        "http://collector:4318/, http://collector:4318/v1/metrics",
        "https://collector, https://collector/v1/metrics",
        "https://collector/otlp, https://collector/otlp/v1/metrics",
        "https://collector/v1/metrics, https://collector/v1/metrics",
        "http://[::1]:4318, http://[::1]:4318/v1/metrics"
    })
    void theAddressIsCompleted(String endpoint, String address) throws Exception {
        assertThat(push(with("--otlp-endpoint", endpoint)).address()).hasToString(address);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "collector:4318", "ftp://collector", "grpc://collector:4317", "http://", "http:///v1"})
    void anAddressBeginsWithItsSchemeAndAHost(String endpoint) {
        assertThat(startFailure("--otlp-endpoint=" + endpoint)).contains("--otlp-endpoint", "'" + endpoint + "'");
    }

    @Test
    void keysDoNotBelongIntoTheAddress() {
        assertThat(startFailure("--otlp-endpoint=http://me:secret@collector"))
                .contains("leave out")
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1.5", "soon"})
    void theIntervalIsAWholeNumberOfSeconds(String interval) {
        assertThat(usageError(ENDPOINT, "--otlp-export-interval=" + interval)).contains("--otlp-export-interval");
    }

    @ParameterizedTest
    @CsvSource({"cumulative, CUMULATIVE", "Cumulative, CUMULATIVE", "delta, DELTA", "lowmemory, DELTA"})
    void aVariableChoosesWhatNumbersStandFor(String value, Temporality expected) throws Exception {
        var environment = Map.of("EXPERIMENTAL_MOUNTPOINT_OTLP_METRICS_TEMPORALITY_PREFERENCE", value);
        assertThat(push(config(line(ENDPOINT), environment)).temporality()).isEqualTo(expected);
    }
}
