package s3csi.mounter.command;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import s3csi.mounter.config.Environment;
import s3csi.mounter.config.MetricsConfig;
import s3csi.mounter.config.MetricsConfig.Temporality;
import s3csi.mounter.config.StartFailure;

/** The settings of metrics. */
final class MetricsReader {
    private static final String PATH = "/v1/metrics";
    private static final int DEFAULT_INTERVAL_SECONDS = 60;

    private final Values values;
    private final Environment environment;

    MetricsReader(Values values, Environment environment) {
        this.values = values;
        this.environment = environment;
    }

    MetricsConfig read() throws UsageError, StartFailure {
        OptionalLong port = values.number(Option.METRICS_PORT, 0, 65535);
        return new MetricsConfig(
                port.isPresent() ? OptionalInt.of((int) port.getAsLong()) : OptionalInt.empty(), push());
    }

    private MetricsConfig.@Nullable Push push() throws UsageError, StartFailure {
        Optional<String> endpoint = values.text(Option.OTLP_ENDPOINT);
        int seconds = values.intNumber(Option.OTLP_EXPORT_INTERVAL, 1, Integer.MAX_VALUE, DEFAULT_INTERVAL_SECONDS);
        return endpoint.isEmpty()
                ? null
                : new MetricsConfig.Push(address(endpoint.get()), Duration.ofSeconds(seconds), temporality());
    }

    private static URI address(String text) throws StartFailure {
        try {
            URI endpoint = new URI(text);
            boolean isHttp = text.startsWith("http://") || text.startsWith("https://");
            if (!isHttp || endpoint.getHost() == null) {
                throw new StartFailure("--otlp-endpoint '" + text
                        + "' must begin with http:// or https:// and name a host, like http://localhost:4318");
            }
            if (endpoint.getUserInfo() != null || endpoint.getQuery() != null || endpoint.getFragment() != null) {
                throw new StartFailure("--otlp-endpoint may hold a host, a port and a path only, like"
                        + " http://localhost:4318; leave out what else is in it");
            }
            String path = endpoint.getRawPath().replaceFirst("/+$", "");
            // As mount-s3 does: who wrote the whole address means it.
            return endpoint.resolve(path.endsWith(PATH) ? path : path + PATH);
        } catch (URISyntaxException e) {
            throw new StartFailure(
                    "--otlp-endpoint '" + text + "' is no address; give one like http://localhost:4318", e);
        }
    }

    private Temporality temporality() {
        return environment
                        .text("EXPERIMENTAL_MOUNTPOINT_OTLP_METRICS_TEMPORALITY_PREFERENCE")
                        .orElse("")
                        .toLowerCase(Locale.ROOT)
                        .equals("cumulative")
                ? Temporality.CUMULATIVE
                : Temporality.DELTA;
    }
}
