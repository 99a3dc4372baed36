package s3csi.driver.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whom the driver gives its token to: a server that the cluster's authority vouches for, and nobody else. */
class SecureApiServerTest {
    private static final String NODES = "/api/v1/nodes";

    @TempDir
    private static Path keys;

    private static ClusterAuthority own;
    private static ClusterAuthority other;

    @TempDir
    private Path scratch;

    private FakeApiServer server;
    private ApiServer client;

    @BeforeAll
    static void makeAuthorities() throws IOException, GeneralSecurityException, InterruptedException {
        own = ClusterAuthority.create(keys.resolve("own"));
        other = ClusterAuthority.create(keys.resolve("other"));
    }

    @BeforeEach
    void start() throws IOException, GeneralSecurityException {
        server = FakeApiServer.secure(scratch, own.server());
        client = server.client();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void trust(String certificates) throws IOException {
        Files.writeString(server.account().resolve("ca.crt"), certificates);
    }

    private void assertRefused(String why) {
        assertThatExceptionOfType(ApiFailure.class)
                .isThrownBy(() -> client.get(NODES))
                .withMessageContaining(why)
                .satisfies(failure -> assertThat(failure.code()).isEqualTo(ApiFailure.NO_ANSWER));
        assertThat(server.requests).isEmpty();
    }

    @Test
    void aServerOfTheClustersAuthorityIsBelieved() throws IOException, GeneralSecurityException {
        trust(own.pem());
        assertThat(client.get(NODES).text("kind")).isEqualTo("List");
    }

    @Test
    void aServerOfAnotherAuthorityDoesNotSeeTheToken() throws IOException, GeneralSecurityException {
        trust(other.pem());
        assertRefused("SSLHandshakeException");
    }

    @Test
    void anAuthorityThatIsReplacedCountsFromThenOn() throws IOException, GeneralSecurityException {
        trust(other.pem());
        assertRefused("SSLHandshakeException");
        trust(other.pem() + own.pem());
        assertThat(client.get(NODES).text("kind")).isEqualTo("List");
        server.requests.clear();
        // Also where a connection from before is still open.
        trust(other.pem());
        assertRefused("SSLHandshakeException");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nothing of use", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"})
    void aFileWithoutACertificateIsNamed(String content) throws IOException {
        trust(content);
        assertRefused("ca.crt");
    }

    @Test
    void aFileThatIsMissingIsNamed() {
        assertRefused("ca.crt");
    }
}
