package s3csi.s3.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.s3.Condition;
import s3csi.s3.ETag;
import s3csi.s3.ObjectAttributes;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.http.Trust;
import s3csi.s3.testing.ScriptedServer;
import s3csi.s3.testing.server.PrivateCa;
import s3csi.s3.testing.server.ServerCertificate;
import s3csi.s3.testing.server.TlsVersion;

/** Certificates: good ones work, all others fail at once and say why. Records: what they brought counts, whatever comes behind. */
@ParameterizedClass
@EnumSource(TlsVersion.class)
class TlsFaultTest extends FaultFixture {
    private static final PrivateCa AUTHORITY = PrivateCa.create();
    private static final ServerCertificate GOOD = AUTHORITY.issueFor("127.0.0.1", "localhost");

    @TempDir
    Path directory;

    private final TlsVersion version;

    TlsFaultTest(TlsVersion version) {
        this.version = version;
    }

    private HttpObjectStore store(ServerCertificate servers, Trust trust) {
        byte[] bytes = random(100_000);
        return storeOf(
                new ScriptedServer((request, reply) -> reply.object(request, bytes, ETAG), servers, version),
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

    /** As a ConfigMap that is being edited may be. */
    @ParameterizedTest
    @ValueSource(strings = {"", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"})
    void aBundleThatBecomesUselessLeavesTheLastGoodOneInForce(String useless) throws Exception {
        byte[] bytes = random(10);
        // Every request needs a new connection, and with it a look at the bundle.
        HttpObjectStore store = storeOf(
                new ScriptedServer(
                        (request, reply) -> {
                            reply.object(request, bytes, ETAG);
                            reply.close();
                        },
                        GOOD,
                        version),
                options().trust(trusting(AUTHORITY)));
        assertThat(read(store, 0, 10)).hasSize(10);

        Files.writeString(directory.resolve("ca.pem"), useless);
        assertThat(read(store, 0, 10)).hasSize(10);
        Files.delete(directory.resolve("ca.pem"));
        assertThat(read(store, 0, 10)).hasSize(10);

        trusting(PrivateCa.create());
        failureOf(() -> read(store, 0, 10), StoreFailure.CertificateNotTrusted.class);
    }

    @Test
    void bytesThatCameBeforeASpoiltRecordStayInTheirPlace() throws Exception {
        byte[] bytes = random(200_000);
        try (ScriptedServer server =
                        new ScriptedServer((request, reply) -> reply.object(request, bytes, ETAG), GOOD, version);
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

    /** The end of the connection may come in the same packet as the answer. */
    @Test
    void anAnswerWithTheEndOfTheConnectionBehindItCounts() throws Exception {
        AtomicReference<HoldingRelay> between = new AtomicReference<>();
        try (ScriptedServer server = new ScriptedServer(
                        (request, reply) -> {
                            if (request.number() == 2) {
                                between.get().hold();
                            }
                            reply.answer(
                                    200,
                                    "etag: \"" + ETAG + "\"\r\n"
                                            + (request.number() == 2 ? "connection: close\r\n" : ""),
                                    "");
                            if (request.number() == 2) {
                                reply.close();
                            }
                        },
                        GOOD,
                        version);
                HoldingRelay relay = new HoldingRelay(server.address());
                HttpObjectStore store =
                        new HttpObjectStore(options().trust(trusting(AUTHORITY)).endpoint(relay.address()))) {
            between.set(relay);

            for (int i = 0; i < 3; i++) {
                assertThat(store.put("key", payload(random(10)), ObjectAttributes.DEFAULTS, Condition.NONE))
                        .isEqualTo(new ETag(ETAG));
            }

            assertThat(server.requests()).as("requests for three puts").hasSize(3);
            assertThat(waits).isEmpty();
        }
    }

    @Test
    void aBundleMayBeADirectory() throws Exception {
        Files.writeString(directory.resolve("private.crt"), AUTHORITY.certificatePem());
        Files.writeString(directory.resolve("readme.txt"), "not a certificate");

        HttpObjectStore store = store(GOOD, Trust.bundle(directory, Trust.Bundle.REPLACES));

        assertThat(read(store, 0, 10)).hasSize(10);
    }

    @Test
    void aBundleThatHoldsNothingIsToldToWhoNeedsIt() throws Exception {
        Path empty = Files.writeString(directory.resolve("empty.pem"), "");
        HttpObjectStore store = store(GOOD, Trust.bundle(empty, Trust.Bundle.ADDS));

        StoreException e = failureOf(() -> read(store, 0, 10), StoreFailure.CertificateNotTrusted.class);

        assertThat(e).hasMessageContaining("no certificate found in " + empty);
        assertThat(waits).isEmpty();
    }

    @Test
    void aBundleIsNotReadForConnectionsInTheClear() throws Exception {
        byte[] bytes = random(10);
        HttpObjectStore store = storeOf(
                new ScriptedServer((request, reply) -> reply.object(request, bytes, ETAG)),
                options().trust(Trust.bundle(directory.resolve("missing.pem"), Trust.Bundle.REPLACES)));

        assertThat(read(store, 0, 10)).isEqualTo(bytes);
    }
}
