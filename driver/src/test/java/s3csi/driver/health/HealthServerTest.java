package s3csi.driver.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class HealthServerTest {
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final AtomicBoolean ready = new AtomicBoolean();

    private static HttpResponse<String> get(HealthServer server, String path) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    private HealthServer start() throws IOException {
        return new HealthServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), ready::get, registry);
    }

    @Test
    void healthFollowsReadiness() throws Exception {
        try (HealthServer server = start()) {
            assertThat(get(server, "/healthz").statusCode()).isEqualTo(503);
            ready.set(true);
            assertThat(get(server, "/healthz").statusCode()).isEqualTo(200);
            assertThat(get(server, "/healthz").body()).isEqualTo("ok\n");
        }
    }

    @Test
    void metricsAreInTheFormPrometheusReads() throws Exception {
        Counter.builder()
                .name("s3csi_things_total")
                .help("Things")
                .register(registry)
                .inc();
        try (HealthServer server = start()) {
            HttpResponse<String> answer = get(server, "/metrics");
            assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("text/plain");
            assertThat(answer.body()).contains("# TYPE s3csi_things_total counter", "s3csi_things_total 1.0");
        }
    }

    @Test
    void aPortThatIsTakenIsNamed() throws Exception {
        try (HealthServer first = start()) {
            var taken = new InetSocketAddress(InetAddress.getLoopbackAddress(), first.port());
            assertThatThrownBy(() -> new HealthServer(taken, ready::get, registry))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(":" + first.port())
                    .hasMessageContaining("--http-endpoint");
        }
    }

    @Test
    void otherPathsSayWhatThereIs() throws Exception {
        try (HealthServer server = start()) {
            HttpResponse<String> answer = get(server, "/");
            assertThat(answer.statusCode()).isEqualTo(404);
            assertThat(answer.body()).contains("/healthz", "/metrics");
        }
    }
}
