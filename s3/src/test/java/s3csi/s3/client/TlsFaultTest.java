package s3csi.s3.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.http.Trust;
import s3csi.s3.testing.ScriptedServer;
import s3csi.s3.testing.TestCertificate;

/** Certificates: good ones work, all others fail at once and say why. */
class TlsFaultTest extends FaultFixture {
    @TempDir
    Path directory;

    private HttpObjectStore store(TestCertificate servers, Trust trust) {
        byte[] bytes = random(100_000);
        return storeOf(
                new ScriptedServer((request, reply) -> reply.object(request, bytes, ETAG), servers),
                options().trust(trust));
    }

    private Trust trusting(TestCertificate certificate) throws Exception {
        Path bundle = Files.writeString(directory.resolve("ca.pem"), certificate.authorityPem());
        return Trust.bundle(bundle, Trust.Bundle.ADDS);
    }

    @Test
    void aPrivateAuthorityIsBelieved() throws Exception {
        TestCertificate certificate = TestCertificate.forLoopback();

        HttpObjectStore store = store(certificate, trusting(certificate));

        assertThat(read(store, 10, 90_000)).hasSize(90_000);
        assertThat(read(store, 10, 90_000)).hasSize(90_000);
        assertThat(server().connections()).isEqualTo(1);
    }

    @Test
    void anUnknownAuthorityIsNotBelievedAndNotTriedAgain() {
        HttpObjectStore store = store(TestCertificate.forLoopback(), Trust.platform());

        StoreException e = failureOf(() -> read(store, 0, 10), StoreFailure.CertificateNotTrusted.class);

        assertThat(e).hasMessageContaining("CA bundle");
        assertThat(waits).isEmpty();
    }

    @Test
    void anExpiredCertificateIsNotBelieved() throws Exception {
        TestCertificate certificate = TestCertificate.expired();
        HttpObjectStore store = store(certificate, trusting(certificate));

        StoreException e = failureOf(() -> read(store, 0, 10), StoreFailure.CertificateNotTrusted.class);

        assertThat(e).hasMessageContaining("NotAfter");
    }

    @Test
    void aCertificateForAnotherHostIsNotBelieved() throws Exception {
        TestCertificate certificate = TestCertificate.forAnotherHost();
        HttpObjectStore store = store(certificate, trusting(certificate));

        failureOf(() -> read(store, 0, 10), StoreFailure.CertificateNotTrusted.class);
    }

    @Test
    void aBundleThatChangesIsReadAgain() throws Exception {
        TestCertificate certificate = TestCertificate.forLoopback();
        Trust trust = trusting(TestCertificate.forAnotherHost());
        HttpObjectStore store = store(certificate, trust);
        failureOf(() -> read(store, 0, 10), StoreFailure.CertificateNotTrusted.class);

        Files.writeString(directory.resolve("ca.pem"), certificate.authorityPem() + certificate.authorityPem());

        assertThat(read(store, 0, 10)).hasSize(10);
    }

    @Test
    void aBundleMayBeADirectoryAndMustHoldSomething() throws Exception {
        TestCertificate certificate = TestCertificate.forLoopback();
        Files.writeString(directory.resolve("private.crt"), certificate.authorityPem());
        Files.writeString(directory.resolve("readme.txt"), "not a certificate");

        HttpObjectStore store = store(certificate, Trust.bundle(directory, Trust.Bundle.REPLACES));

        assertThat(read(store, 0, 10)).hasSize(10);
        Path empty = Files.writeString(directory.resolve("empty.pem"), "");
        assertThat(catchThrowable(() -> Trust.bundle(empty, Trust.Bundle.ADDS)))
                .hasMessageContaining("no certificate found");
    }
}
