package s3csi.s3.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.s3.http.Trust;
import s3csi.s3.testing.ScriptedServer;
import s3csi.s3.testing.process.Await;

class WebIdentityCredentialsTest {
    private static final Instant START = Instant.parse("2026-11-15T10:00:00Z");

    @TempDir
    Path directory;

    private final TurnedClock hand = new TurnedClock(START);

    private CredentialsSource source(ScriptedServer service) throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "tok+en\n");
        return new CredentialsOptions(
                        Map.of(
                                "AWS_ROLE_ARN", "arn:aws:iam::1:role/r",
                                "AWS_WEB_IDENTITY_TOKEN_FILE", token.toString(),
                                "AWS_ENDPOINT_URL_STS", service.address().toString(),
                                "HOME", directory.toString()),
                        false,
                        null,
                        null,
                        null,
                        Trust.platform(),
                        hand)
                .source();
    }

    private String answer(String id) {
        return "<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>" + id
                + "</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken><Expiration>"
                + hand.instant().plus(Duration.ofHours(1))
                + "</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>";
    }

    @Test
    void aTokenIsExchangedForKeysOnceUntilShortlyBeforeTheirEnd() throws Exception {
        try (ScriptedServer service =
                new ScriptedServer((request, reply) -> reply.answer(200, "", answer("id" + request.number())))) {
            CredentialsSource source = source(service);

            assertThat(source.current())
                    .isEqualTo(new Credentials.Keys("id1", "s", "t", START.plus(Duration.ofHours(1))));
            source.current();
            assertThat(service.requests()).hasSize(1);
            assertThat(service.requests().getFirst().body())
                    .isEqualTo("Action=AssumeRoleWithWebIdentity&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fr"
                            + "&RoleSessionName=s3csi&Version=2011-06-15&WebIdentityToken=tok%2Ben");

            hand.turn(Duration.ofMinutes(56));
            assertThat(source.current()).extracting("accessKeyId").isEqualTo("id1");
            Await.until(
                    Duration.ofSeconds(20),
                    () -> "the keys are not renewed",
                    () -> service.requests().size() == 2);
            hand.turn(Duration.ofMinutes(5));
            assertThat(source.current()).extracting("accessKeyId").isEqualTo("id2");
        }
    }

    /** The platform writes a new one long before the keys end. */
    @Test
    void keysAreRenewedWithTheTokenOfThen() throws Exception {
        try (ScriptedServer service =
                new ScriptedServer((request, reply) -> reply.answer(200, "", answer("id" + request.number())))) {
            CredentialsSource source = source(service);
            source.current();

            Files.writeString(directory.resolve("token"), "newer");
            hand.turn(Duration.ofHours(2));
            source.current();

            assertThat(service.requests()).hasSize(2);
            assertThat(service.requests().getLast().body()).endsWith("WebIdentityToken=newer");
        }
    }

    @Test
    void oldKeysStayInUseUntilTheyReallyEndWhenTheServiceFails() throws Exception {
        try (ScriptedServer service = new ScriptedServer((request, reply) -> {
            if (request.number() == 1) {
                reply.answer(200, "", answer("id"));
            } else {
                reply.error(403, "AccessDenied");
            }
        })) {
            CredentialsSource source = source(service);
            source.current();

            hand.turn(Duration.ofMinutes(56));
            assertThat(source.current()).extracting("accessKeyId").isEqualTo("id");
            hand.turn(Duration.ofMinutes(4));
            assertThatThrownBy(source::current)
                    .isInstanceOf(CredentialsException.class)
                    .hasMessageContaining("refuses role")
                    .hasMessageContaining("AccessDenied");
        }
    }

    @Test
    void rejectedKeysAreRenewedAtOnce() throws Exception {
        try (ScriptedServer service =
                new ScriptedServer((request, reply) -> reply.answer(200, "", answer("id" + request.number())))) {
            CredentialsSource source = source(service);
            Credentials first = source.current();

            source.rejected(first);

            assertThat(source.current()).extracting("accessKeyId").isEqualTo("id2");
        }
    }

    @Test
    void keysThatAreRejectedLateDoNotCostTheNewerOnes() throws Exception {
        try (ScriptedServer service =
                new ScriptedServer((request, reply) -> reply.answer(200, "", answer("id" + request.number())))) {
            CredentialsSource source = source(service);
            Credentials first = source.current();
            source.rejected(first);
            Credentials second = source.current();

            // Many requests were under way with the first ones; each of them is refused in its own time.
            source.rejected(first);
            source.rejected(first);

            assertThat(source.current()).isEqualTo(second);
            assertThat(service.requests()).as("questions to the service").hasSize(2);
        }
    }
}
