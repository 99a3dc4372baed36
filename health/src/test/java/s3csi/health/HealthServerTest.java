package s3csi.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HealthServerTest {
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final AtomicReference<Optional<String>> trouble = new AtomicReference<>(Optional.empty());

    private static HttpResponse<String> get(HealthServer server, String path) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    private HealthServer start() throws IOException {
        return new HealthServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), trouble::get, registry);
    }

    @Test
    void aProgramInTroubleSaysWhich() throws Exception {
        trouble.set(Optional.of("the CSI socket is not served"));
        try (HealthServer server = start()) {
            assertThat(get(server, "/healthz").statusCode()).isEqualTo(503);
            assertThat(get(server, "/healthz").body()).isEqualTo("the CSI socket is not served\n");
            trouble.set(Optional.empty());
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
            assertThatThrownBy(() -> new HealthServer(taken, trouble::get, registry))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(":" + first.port())
                    .hasMessageContaining("--http-endpoint");
        }
    }

    private static Socket connect(HealthServer server) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), server.port());
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    private static String answer(HealthServer server, String request) throws IOException {
        try (Socket socket = connect(server)) {
            send(socket, request);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void thoseWhoOnlyWaitMakeRoomForThoseWhoAsk() throws Exception {
        List<Socket> halfSent = new ArrayList<>();
        try (HealthServer server = start()) {
            for (int i = 0; i < 3 * HttpPort.MOST_CONNECTIONS; i++) {
                Socket socket = connect(server);
                halfSent.add(socket);
                send(socket, "GET /healthz HTTP/1.1\r\nX: ");
            }
            assertThat(get(server, "/healthz").statusCode()).isEqualTo(200);
            send(halfSent.getLast(), "x\r\n\r\n");
            assertThat(halfSent.getLast().getInputStream().read())
                    .as("the newest is answered when it has asked")
                    .isEqualTo('H');
            assertThat(halfSent.getFirst().getInputStream().read())
                    .as("the oldest is closed")
                    .isEqualTo(-1);
        } finally {
            for (Socket socket : halfSent) {
                socket.close();
            }
        }
    }

    @Test
    void aRequestMayHaveAFewKilobytes() throws Exception {
        try (HealthServer server = start()) {
            String header = "GET /healthz HTTP/1.1\r\nX: ";
            assertThat(answer(server, header + "x".repeat(8000) + "\r\n\r\n")).startsWith("HTTP/1.1 200 ");
            assertThat(answer(server, header + "x".repeat(HttpPort.LARGEST_HEAD)))
                    .startsWith("HTTP/1.1 431 ");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET /healthz HTTP/1.1, 200",
        "GET /healthz?verbose HTTP/1.0, 200",
        "HEAD /healthz HTTP/1.1, 200",
        "POST /healthz HTTP/1.1, 405",
        "GET /healthz/.. HTTP/1.1, 404",
        "GET /healthz, 400",
        "nonsense, 400",
        "'', 400"
    })
    void everyRequestHasOneAnswer(String line, String status) throws Exception {
        try (HealthServer server = start()) {
            assertThat(answer(server, line + "\r\nHost: x\r\n\r\n"))
                    .startsWith("HTTP/1.1 " + status + " ")
                    .contains("\r\nConnection: close\r\n");
            assertThat(answer(server, line + "\n\n")).startsWith("HTTP/1.1 " + status + " ");
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

    @Test
    void aMetricThatFailsOnceFailsOneScrapeAndNoOther() throws Exception {
        AtomicBoolean isBroken = new AtomicBoolean(true);
        GaugeWithCallback.builder()
                .name("s3csi_things")
                .help("Things")
                .callback(gauge -> {
                    if (isBroken.get()) {
                        throw new IllegalStateException("as if");
                    }
                    gauge.call(1);
                })
                .register(registry);
        try (HealthServer server = start()) {
            assertThatThrownBy(() -> get(server, "/metrics")).isInstanceOf(IOException.class);
            isBroken.set(false);
            assertThat(get(server, "/metrics").body()).contains("s3csi_things 1.0");
        }
    }
}
