package s3csi.driver.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Handshakes with a private CA are tested against a real store; here is only when the bundle is read. */
class TrustedRootsTest {
    @TempDir
    private Path directory;

    private Path bundle;
    private X509Certificate[] systems;

    @BeforeEach
    void writeABundle() throws IOException, GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        systems = ((X509TrustManager) factory.getTrustManagers()[0]).getAcceptedIssuers();
        bundle = Files.writeString(directory.resolve("ca.pem"), pem(systems[0]));
    }

    private static String pem(X509Certificate certificate) throws GeneralSecurityException {
        return "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(certificate.getEncoded())
                + "\n-----END CERTIFICATE-----\n";
    }

    @Test
    void theSystemsRootsStayTrusted() {
        assertThat(TrustedRoots.with(bundle).current().getAcceptedIssuers()).contains(systems);
    }

    @Test
    void anUnchangedBundleIsTheSameTrustAndAChangedOneIsAnother() throws IOException, GeneralSecurityException {
        TrustedRoots roots = TrustedRoots.with(bundle);
        X509TrustManager first = roots.current();
        assertThat(roots.current()).isSameAs(first);

        Files.writeString(bundle, pem(systems[1]));
        assertThat(roots.current()).isNotSameAs(first);
    }

    @Test
    void aBundleThatBecomesUselessLeavesTheLastGoodOne() throws IOException {
        TrustedRoots roots = TrustedRoots.with(bundle);
        X509TrustManager good = roots.current();

        Files.writeString(bundle, "nothing of use");
        assertThat(roots.current()).isSameAs(good);
        Files.delete(bundle);
        assertThat(roots.current()).isSameAs(good);
    }

    @Test
    void aBundleThatIsUselessAtTheStartIsRefusedInWords() throws IOException {
        Files.writeString(bundle, "nothing of use");
        assertThatThrownBy(() -> TrustedRoots.with(bundle))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("AWS_CA_BUNDLE")
                .hasMessageContaining("PEM");
    }

    @Test
    void aDirectoryIsAllItsCertificatesTogether() throws IOException, GeneralSecurityException {
        Files.writeString(directory.resolve("README"), "nothing of use");
        TrustedRoots roots = TrustedRoots.with(directory);
        X509TrustManager first = roots.current();
        assertThat(roots.current()).isSameAs(first);

        // As a ConfigMap shows a new key.
        Files.writeString(directory.resolve("more.crt"), pem(systems[1]).stripTrailing());
        assertThat(roots.current()).isNotSameAs(first);

        Files.delete(directory.resolve("more.crt"));
        Files.delete(bundle);
        assertThatThrownBy(() -> TrustedRoots.with(directory)).hasMessageContaining("holds no certificate");
    }
}
