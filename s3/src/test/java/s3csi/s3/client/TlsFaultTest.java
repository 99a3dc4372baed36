package s3csi.s3.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.http.Trust;
import s3csi.s3.testing.ScriptedServer;
import s3csi.s3.testing.server.PrivateCa;
import s3csi.s3.testing.server.ServerCertificate;

/** Certificates: good ones work, all others fail at once and say why. */
class TlsFaultTest extends FaultFixture {
    private static final PrivateCa AUTHORITY = PrivateCa.create();
    private static final ServerCertificate GOOD = AUTHORITY.issueFor("127.0.0.1", "localhost");

    @TempDir
    Path directory;

    private HttpObjectStore store(ServerCertificate servers, Trust trust) {
        byte[] bytes = random(100_000);
        return storeOf(
                new ScriptedServer((request, reply) -> reply.object(request, bytes, ETAG), servers),
                options().trust(trust));
    }

    private Trust trusting(PrivateCa authority) throws Exception {
        Path bundle = Files.writeString(directory.resolve("ca.pem"), authority.certificatePem());
        return Trust.bundle(bundle, Trust.Bundle.ADDS);
    }

    @Test
    void aPrivateAuthorityIsBelieved() throws Exception {
        HttpObjectStore store = store(GOOD, trusting(AUTHORITY));

        assertThat(read(store, 10, 90_000)).hasSize(90_000);
        assertThat(read(store, 10, 90_000)).hasSize(90_000);
        assertThat(server().connections()).isEqualTo(1);
    }

    @Test
    void anUnknownAuthorityIsNotBelievedAndNotTriedAgain() {
        HttpObjectStore store = store(GOOD, Trust.platform());

        StoreException e = failureOf(() -> read(store, 0, 10), StoreFailure.CertificateNotTrusted.class);

        assertThat(e).hasMessageContaining("CA bundle");
        assertThat(waits).isEmpty();
    }

    @Test
    void anExpiredCertificateIsNotBelieved() throws Exception {
        HttpObjectStore store = store(AUTHORITY.issueExpiredFor("127.0.0.1"), trusting(AUTHORITY));

        StoreException e = failureOf(() -> read(store, 0, 10), StoreFailure.CertificateNotTrusted.class);

        assertThat(e).hasMessageContaining("NotAfter");
    }

    @Test
    void aCertificateForAnotherHostIsNotBelieved() throws Exception {
        HttpObjectStore store = store(AUTHORITY.issueFor("elsewhere.example"), trusting(AUTHORITY));

        failureOf(() -> read(store, 0, 10), StoreFailure.CertificateNotTrusted.class);
    }

    @Test
    void aBundleThatChangesIsReadAgain() throws Exception {
        HttpObjectStore store = store(GOOD, trusting(PrivateCa.create()));
        failureOf(() -> read(store, 0, 10), StoreFailure.CertificateNotTrusted.class);

        Files.writeString(directory.resolve("ca.pem"), AUTHORITY.certificatePem() + AUTHORITY.certificatePem());

        assertThat(read(store, 0, 10)).hasSize(10);
    }

    @Test
    void bytesThatCameBeforeASpoiltRecordStayInTheirPlace() throws Exception {
        byte[] bytes = random(200_000);
        try (ScriptedServer server = new ScriptedServer((request, reply) -> reply.object(request, bytes, ETAG), GOOD);
                SpoilingRelay relay = new SpoilingRelay(server.address());
                HttpObjectStore store =
                        new HttpObjectStore(options().trust(trusting(AUTHORITY)).endpoint(relay.address()))) {

            assertThat(Arrays.mismatch(read(store, 0, bytes.length), bytes))
                    .as("the first wrong byte")
                    .isNegative();
            assertThat(server.connections())
                    .as("connections: the record was spoilt, and the rest came by another")
                    .isEqualTo(2);
        }
    }

    @Test
    void aBundleMayBeADirectoryAndMustHoldSomething() throws Exception {
        Files.writeString(directory.resolve("private.crt"), AUTHORITY.certificatePem());
        Files.writeString(directory.resolve("readme.txt"), "not a certificate");

        HttpObjectStore store = store(GOOD, Trust.bundle(directory, Trust.Bundle.REPLACES));

        assertThat(read(store, 0, 10)).hasSize(10);
        Path empty = Files.writeString(directory.resolve("empty.pem"), "");
        assertThat(catchThrowable(() -> Trust.bundle(empty, Trust.Bundle.ADDS)))
                .hasMessageContaining("no certificate found");
    }
}
