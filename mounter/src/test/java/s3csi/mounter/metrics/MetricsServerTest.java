package s3csi.mounter.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.BindException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

class MetricsServerTest {
    private static HttpResponse<String> ask(int port, String path) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void everyQuestionHasTheNumbersOfNow() throws Exception {
        Metrics metrics = new Metrics();
        metrics.gauge(MetricName.FS_INODES, () -> 7);
        try (MetricsServer server = MetricsServer.start(0, metrics)) {
            for (int i = 0; i < 3; i++) {
                HttpResponse<String> answer = ask(server.port(), "/metrics");
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.headers().firstValue("Content-Type")).hasValue(PrometheusText.CONTENT_TYPE);
                assertThat(answer.body()).contains(" 7\n");
            }
            assertThat(ask(server.port(), "/other").statusCode()).isEqualTo(404);
        }
    }

    /** The next mount of the volume wants it. */
    @Test
    void itsPortIsFreeAfterTheEnd() throws Exception {
        int port;
        try (MetricsServer first = MetricsServer.start(0, new Metrics())) {
            port = first.port();
            assertThatThrownBy(() -> MetricsServer.start(port, new Metrics())).isInstanceOf(BindException.class);
        }
        try (MetricsServer next = MetricsServer.start(port, new Metrics())) {
            assertThat(next.port()).isEqualTo(port);
        }
    }
}
