package s3csi.s3.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.s3.testing.HeardLog;
import s3csi.s3.testing.server.PrivateCa;

/** A bundle of authorities that changes under a mount: what is good in it counts, what is not does no harm and is told. */
class TrustTest {
    private static final String ONE = PrivateCa.create().certificatePem();
    private static final String OTHER = PrivateCa.create().certificatePem();

    private final HeardLog log = new HeardLog(Trust.class);

    @TempDir
    private Path directory;

    private Path bundle = Path.of("");
    private Trust trust = Trust.platform();

    @BeforeEach
    void trustOne() throws Exception {
        bundle = Files.writeString(directory.resolve("ca.pem"), ONE);
        trust = Trust.bundle(bundle, Trust.Bundle.REPLACES);
    }

    @AfterEach
    void stopListening() {
        log.close();
    }

    @Test
    void aBundleThatStaysIsReadOnce() throws Exception {
        assertThat(trust.context()).isSameAs(trust.context());
        assertThat(log.warnings()).isEmpty();
    }

    /** Nodes open hundreds of connections a second; a bundle of 140 authorities takes some tenths of one. */
    @ParameterizedTest
    @ValueSource(strings = {"", "no certificate", "cut", "gone"})
    void aBundleThatIsOfNoUseIsToldOnceAndTheLastGoodOneStays(String what) throws Exception {
        SSLContext good = trust.context();
        switch (what) {
            case "cut" -> Files.writeString(bundle, OTHER + ONE.substring(0, ONE.length() / 2));
            case "gone" -> Files.delete(bundle);
            default -> Files.writeString(bundle, what);
        }

        for (int i = 0; i < 3; i++) {
            assertThat(trust.context()).isSameAs(good);
        }

        assertThat(log.warnings())
                .singleElement()
                .asString()
                .contains(bundle.toString(), "the ones read before stay in force");
    }

    /** Whoever writes it may be slow, or out of room on the disk. */
    @Test
    void aBundleThatBreaksOffAnywhereIsNotTakenForAShorterOne() throws Exception {
        SSLContext good = trust.context();
        String whole = ONE.strip();
        for (int length = "-----BEGIN ".length(); length < whole.length(); length += 7) {
            Files.writeString(bundle, OTHER + whole.substring(0, length));
            assertThat(trust.context()).as("with %d characters", length).isSameAs(good);
        }
        Files.writeString(bundle, OTHER + whole);
        assertThat(trust.context()).isNotSameAs(good);
    }

    @Test
    void eachTroubleIsTold() throws Exception {
        trust.context();
        Files.writeString(bundle, "nonsense");
        trust.context();
        Files.delete(bundle);
        trust.context();
        Files.writeString(bundle, "");
        trust.context();

        assertThat(log.warnings()).hasSize(3);
    }

    @Test
    void aBundleThatIsGoodAgainCounts() throws Exception {
        SSLContext good = trust.context();
        Files.writeString(bundle, "nonsense");
        assertThat(trust.context()).isSameAs(good);

        Files.writeString(bundle, OTHER);

        SSLContext next = trust.context();
        assertThat(next).isNotSameAs(good).isSameAs(trust.context());
    }

    /** Of the same length and time, as copies that keep the time are. */
    @Test
    void aBundleThatWasReplacedByAnotherFileIsReadAgain() throws Exception {
        FileTime time = FileTime.from(Instant.parse("2026-11-15T10:00:00Z"));
        Files.setLastModifiedTime(bundle, time);
        SSLContext before = trust.context();
        Path next = Files.writeString(directory.resolve("next.pem"), ONE);
        Files.setLastModifiedTime(next, time);

        Files.move(next, bundle, StandardCopyOption.ATOMIC_MOVE);

        assertThat(trust.context()).isNotSameAs(before);
    }

    @Test
    void aFileMoreInADirectoryCounts() throws Exception {
        Trust whole = Trust.bundle(directory, Trust.Bundle.REPLACES);
        SSLContext before = whole.context();

        Files.writeString(directory.resolve("other.crt"), OTHER);

        assertThat(whole.context()).isNotSameAs(before);
    }
}
