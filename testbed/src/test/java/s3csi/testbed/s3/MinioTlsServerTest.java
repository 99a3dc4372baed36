package s3csi.testbed.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.PrivateCa;
import s3csi.s3.testing.server.S3Server;

final class MinioTlsServerTest extends S3ServerContract {
    @Override
    S3Server startServer() {
        return MinioServer.startWithTls(PrivateCa.create());
    }

    @Test
    void isNotTrustedByTheJdkAlone() {
        assertThat(server().endpoint()).hasScheme("https");
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(server().endpoint()).build();
            assertThatThrownBy(() -> client.send(request, HttpResponse.BodyHandlers.discarding()))
                    .isInstanceOf(SSLHandshakeException.class);
        }
    }
}
