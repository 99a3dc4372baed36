package s3csi.s3.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.credentials.CredentialsOptions;
import s3csi.s3.http.Timeouts;
import s3csi.s3.http.Trust;
import s3csi.s3.testing.ScriptedServer;

/** The look before a mount gives up in time, with the reason of the last attempt. */
class FirstLookFaultTest extends FaultFixture {
    @TempDir
    Path directory;

    @Test
    void whatPassesIsTriedAgain() throws Exception {
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.number() <= 3) {
                reply.error(503, "SlowDown");
            } else {
                reply.answer(200, "", "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>");
            }
        });

        store.check("some/prefix/", Duration.ofMinutes(1));

        assertThat(server().requests())
                .hasSize(4)
                .allMatch(request -> request.target().contains("max-keys=1&prefix=some%2Fprefix%2F"));
    }

    @Test
    void noWaitGoesBeyondTheEnd() {
        HttpObjectStore store = storeOf((_, reply) -> reply.error(503, "SlowDown"));

        // Waits take no time here, answers do: the first must come within this.
        Duration within = Duration.ofSeconds(5);
        StoreException e = failureOf(() -> store.check("", within), StoreFailure.Throttled.class);

        assertThat(e).hasMessageContaining("503 SlowDown");
        assertThat(server().requests()).hasSizeBetween(1, 9);
        assertThat(waits).allMatch(wait -> wait.compareTo(within) < 0);
    }

    /** A look as patient as other requests would end the same way, ten minutes later: then the limit of this test fails. */
    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void aStoreThatSaysNothingIsNotWaitedForAsLongAsElsewhere() {
        HttpObjectStore store = storeOf(
                new ScriptedServer((_, reply) -> reply.stall()),
                options().timeouts(Timeouts.DEFAULTS.withFirstByte(Duration.ofMinutes(10))));

        failureOf(() -> store.check("", Duration.ofSeconds(2)), StoreFailure.Timeout.class);

        assertThat(server().requests()).hasSize(1);
    }

    /** Keys that have to be fetched are part of what is waited for. */
    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void aTokenServiceThatSaysNothingIsNamedInTime() {
        try (ScriptedServer silent = new ScriptedServer((_, reply) -> reply.stall())) {
            HttpObjectStore store = storeOf(
                    new ScriptedServer((_, reply) -> reply.error(500, "NobodyAskedMe")),
                    options()
                            .credentials(new CredentialsOptions(
                                            Map.of(
                                                    "HOME", directory.toString(),
                                                    "AWS_ROLE_ARN", "arn:aws:iam::1:role/r",
                                                    "AWS_WEB_IDENTITY_TOKEN_FILE", token().toString(),
                                                    "AWS_ENDPOINT_URL_STS",
                                                            silent.address().toString()),
                                            false,
                                            null,
                                            null,
                                            null,
                                            Trust.platform(),
                                            Clock.systemUTC())
                                    .source()));

            StoreException e =
                    failureOf(() -> store.check("", Duration.ofSeconds(2)), StoreFailure.NoCredentials.class);

            assertThat(e)
                    .hasMessageContaining("the token service " + silent.address())
                    .hasMessageContaining("within 2.0 s");
            assertThat(server().requests()).isEmpty();
        }
    }

    private Path token() {
        try {
            return Files.writeString(directory.resolve("token"), "token");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
