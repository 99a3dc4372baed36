package s3csi.s3.signing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import s3csi.s3.checksum.Checksums;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.http.RequestHead;

/** The examples of the S3 documentation, whose keys and signatures are published; real servers check the rest. */
class RequestSignerTest {
    private static final Credentials.Keys KEYS =
            new Credentials.Keys("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");
    private static final Instant NOW = Instant.parse("2013-05-24T00:00:00Z");
    private static final String HOST = "examplebucket.s3.amazonaws.com";

    private final RequestSigner signer = new RequestSigner("s3");

    private String signature(RequestHead request) {
        signer.sign(request, KEYS, "us-east-1", NOW, Checksums.SHA256_OF_NOTHING);
        String header = "";
        for (int i = 0; i < request.headerCount(); i++) {
            if (request.headerName(i).equals("authorization")) {
                header = request.headerValue(i);
            }
        }
        return header.substring(header.indexOf("Signature=") + "Signature=".length());
    }

    @Test
    void aBucketQueryIsSignedAsPublished() {
        RequestHead lifecycle = new RequestHead("GET", "/", "lifecycle=").header("host", HOST);
        RequestHead listing = new RequestHead("GET", "/", "max-keys=2&prefix=J").header("host", HOST);

        assertThat(signature(lifecycle)).isEqualTo("fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
        assertThat(signature(listing)).isEqualTo("34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
    }

    /** One at a time: a key that does not fit makes all others go. */
    @ParameterizedTest
    @CsvSource({"other, us-east-1, 0", ", eu-west-1, 0", ", us-east-1, 90000"})
    void aKeptKeyIsNotUsedForAnotherSecretOrRegionOrDay(@Nullable String secret, String region, int later) {
        Credentials.Keys before = secret == null ? KEYS : new Credentials.Keys(KEYS.accessKeyId(), secret);
        signer.sign(new RequestHead("GET", "/", "").header("host", HOST), before, region, NOW.plusSeconds(later), "x");

        RequestHead request = new RequestHead("GET", "/", "lifecycle=").header("host", HOST);
        assertThat(signature(request)).isEqualTo("fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
    }

    @Test
    void aSessionTokenIsSignedToo() {
        RequestHead request = new RequestHead("GET", "/", "").header("host", HOST);
        Credentials.Keys session = new Credentials.Keys("id", "secret", "token", null);

        signer.sign(request, session, "us-east-1", NOW, RequestSigner.UNSIGNED_PAYLOAD);

        assertThat(request.headerValue(request.headerCount() - 1))
                .contains("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token");
    }

    @Test
    void keysAreEncodedOnceAndSlashesStay() {
        assertThat(PercentEncoding.path("a b/ü+%/./..//~-_.")).isEqualTo("a%20b/%C3%BC%2B%25/./..//~-_.");
        assertThat(PercentEncoding.query("a/b=c&\0")).isEqualTo("a%2Fb%3Dc%26%00");
    }
}
