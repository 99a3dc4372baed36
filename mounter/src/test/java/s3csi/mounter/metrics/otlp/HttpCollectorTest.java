package s3csi.mounter.metrics.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.mounter.config.MetricsConfig.Temporality;
import s3csi.mounter.metrics.MetricName;
import s3csi.mounter.metrics.Metrics;
import s3csi.s3.http.ProxySettings;
import s3csi.s3.http.Trust;
import s3csi.s3.testing.server.PrivateCa;

@Timeout(60)
final class HttpCollectorTest {
    @TempDir
    private Path scratch;

    private static byte[] request() {
        Metrics metrics = new Metrics();
        metrics.counter(MetricName.S3_REQUEST_COUNT, "GetObject").add(3);
        return ExportRequest.of(metrics.snapshot(), Temporality.DELTA, Instant.EPOCH, Instant.now());
    }

    private static HttpCollector at(URI endpoint, Trust trust) {
        return new HttpCollector(endpoint.resolve("/v1/metrics"), trust, ProxySettings.NONE, "test");
    }

    @Test
    void aMessageIsPosted() throws Exception {
        try (TestCollector collector = TestCollector.start()) {
            HttpCollector client = at(collector.address(), Trust.platform());
            client.take(request());
            client.take(request());
            assertThat(collector.heads()).hasSize(2).containsOnly("POST /v1/metrics application/x-protobuf");
            assertThat(collector.sum("s3.request_count", "GetObject")).isEqualTo(6);
        }
    }

    @Test
    void aPrivateAuthorityIsBelievedOnlyWhenTold() throws Exception {
        PrivateCa authority = PrivateCa.create();
        Path bundle = Files.writeString(scratch.resolve("ca.pem"), authority.certificatePem());
        try (TestCollector collector = TestCollector.startSecure(authority)) {
            at(collector.address(), Trust.bundle(bundle, Trust.Bundle.REPLACES)).take(request());
            assertThat(collector.heads()).hasSize(1);
            assertThatIOException()
                    .isThrownBy(() -> at(collector.address(), Trust.platform()).take(request()));
            assertThat(collector.heads()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 400, 404, 429, 500, 503})
    void aRefusalIsAFailure(int status) throws Exception {
        try (TestCollector collector = TestCollector.start()) {
            collector.answerWith(status);
            assertThatIOException()
                    .isThrownBy(() -> at(collector.address(), Trust.platform()).take(request()))
                    .withMessageContaining("status " + status);
        }
    }

    @Test
    void nobodyThereIsAFailure() throws Exception {
        TestCollector collector = TestCollector.start();
        URI address = collector.address();
        collector.close();
        assertThatIOException().isThrownBy(() -> at(address, Trust.platform()).take(request()));
    }

    @Test
    void whatDoesNotSpeakHttpIsAFailure() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answerGarbage(server));
            URI address = URI.create("http://localhost:" + server.getLocalPort());
            assertThatIOException()
                    .isThrownBy(() -> at(address, Trust.platform()).take(request()))
                    .withMessageContaining("HTTP/1");
        }
    }

    /** As a gRPC port answers: with a frame of HTTP/2. */
    private static void answerGarbage(ServerSocket server) {
        try (Socket socket = server.accept()) {
            socket.getInputStream().read();
            socket.getOutputStream().write("\0\0\6\4 SETTINGS\n\n".getBytes(StandardCharsets.ISO_8859_1));
            socket.getInputStream().readAllBytes();
        } catch (IOException _) {
            // The client left, as it should.
        }
    }
}
