package s3csi.s3.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import s3csi.s3.testing.Nobody;
import s3csi.s3.testing.ScriptedServer;

class HttpClientTest {
    private static final Timeouts TIMEOUTS = new Timeouts(
            Duration.ofSeconds(20), Duration.ofSeconds(20), Duration.ofSeconds(20), Duration.ofSeconds(20));

    private static long directBuffers() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getCount)
                .sum();
    }

    private static RequestHead request() {
        return new RequestHead("GET", "/", "").header("host", "store");
    }

    /** Native memory comes back only when the heap is collected, and an outage may see thousands of attempts before that. */
    @Test
    void connectionsThatCannotBeMadeTakeNoNewMemory() throws Exception {
        try (Nobody nobody = new Nobody();
                HttpClient client = new HttpClient(
                        Origin.of(nobody.endpoint()), Trust.platform(), ProxySettings.NONE, TIMEOUTS, 4)) {
            long before = directBuffers();
            for (int i = 0; i < 200; i++) {
                assertThatThrownBy(() -> client.send(request(), new byte[0], null))
                        .isInstanceOf(IOException.class);
            }
            assertThat(directBuffers() - before).isLessThan(50);
        }
    }

    @Test
    void anyNumberOfInterimAnswersIsPassedOver() throws Exception {
        String interim =
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n";
        try (ScriptedServer server = new ScriptedServer(
                        (_, reply) -> reply.send(interim + "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"));
                HttpClient client = new HttpClient(
                        Origin.of(server.address()), Trust.platform(), ProxySettings.NONE, TIMEOUTS, 1)) {
            for (int i = 0; i < 2; i++) {
                try (HttpExchange exchange = client.send(request(), new byte[0], null)) {
                    assertThat(exchange.head().status()).isEqualTo(200);
                    assertThat(exchange.body().read(new byte[10])).isEqualTo(2);
                }
            }
            assertThat(server.connections()).isEqualTo(1);
            assertThat(server.requests()).hasSize(2);
        }
    }
}
