package s3csi.testbed.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TcpProxyTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    /** For what never comes. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    private final AtomicInteger processed = new AtomicInteger();
    private final HttpServer server;
    private final TcpProxy proxy;
    private final HttpClient client = HttpClient.newHttpClient();

    TcpProxyTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            processed.incrementAndGet();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        proxy = TcpProxy.before(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
    }

    @BeforeEach
    void start() {
        server.start();
    }

    @AfterEach
    void stop() {
        client.close();
        proxy.close();
        server.stop(0);
    }

    @Test
    void passesRequestsAndAnswers() throws Exception {
        assertThat(post()).isEqualTo(204);
        assertThat(processed).hasValue(1);
    }

    @Test
    void refusesConnectionsUntilItPassesAgain() throws Exception {
        assertThat(post()).isEqualTo(204);
        proxy.refuse();
        assertThatThrownBy(this::post).isInstanceOf(IOException.class);
        assertThatThrownBy(this::post).isInstanceOf(ConnectException.class);

        proxy.pass();

        assertThat(post()).isEqualTo(204);
        assertThat(processed).hasValue(2);
    }

    @Test
    void swallowsRequestsUntilItPassesAgain() throws Exception {
        proxy.blackhole();
        assertThatThrownBy(() -> send("POST", "body", SHORT)).isInstanceOf(HttpTimeoutException.class);
        assertThat(processed).hasValue(0);

        proxy.pass();

        assertThat(post()).isEqualTo(204);
    }

    @Test
    void stallsAConnectionThatExists() throws Exception {
        assertThat(post()).isEqualTo(204);
        proxy.blackhole();

        assertThatThrownBy(() -> send("POST", "body", SHORT)).isInstanceOf(HttpTimeoutException.class);
        assertThat(processed).hasValue(1);
    }

    @Test
    void losesOneAnswerAfterTheServerProcessedTheRequest() throws Exception {
        proxy.loseNextAnswer();

        assertThatThrownBy(this::post).isInstanceOf(IOException.class);
        assertThat(processed).hasValue(1);
        assertThat(proxy.answersLost()).isEqualTo(1);
        assertThat(post()).isEqualTo(204);
    }

    @Test
    void losesTheAnswerOfTheChosenKindOfRequestOnly() throws Exception {
        proxy.loseNextAnswer("PUT ");

        assertThat(post()).isEqualTo(204);
        assertThat(proxy.answersLost()).isZero();
        assertThatThrownBy(() -> send("PUT")).isInstanceOf(IOException.class);
        assertThat(processed).hasValue(2);
    }

    @Test
    void delaysRequestsButCarriesAsMuch() throws Exception {
        var delay = Duration.ofMillis(300);
        proxy.delayRequests(delay);
        long started = System.nanoTime();

        // Passed on in 128 pieces or more: one delay for each of them would exceed the request's timeout.
        assertThat(send("POST", "x".repeat(8 << 20), LONG)).isEqualTo(204);

        assertThat(Duration.ofNanos(System.nanoTime() - started)).isGreaterThanOrEqualTo(delay);
        assertThat(processed).hasValue(1);
    }

    private int post() throws IOException, InterruptedException {
        return send("POST");
    }

    private int send(String method) throws IOException, InterruptedException {
        return send(method, "body", LONG);
    }

    private int send(String method, String body, Duration timeout) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(proxy.endpoint())
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(timeout)
                .build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }
}
