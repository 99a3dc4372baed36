package s3csi.s3.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.s3.http.Trust;
import s3csi.s3.testing.ScriptedServer;

class ContainerCredentialsTest {
    @TempDir
    Path home;

    private CredentialsSource source(Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("HOME", home.toString());
        return new CredentialsOptions(environment, false, null, null, null, Trust.platform(), Clock.systemUTC())
                .source();
    }

    private static String answer(String id) {
        return "{\"AccessKeyId\": \"" + id
                + "\", \"SecretAccessKey\": \"s\", \"Token\": \"t\", \"Expiration\": \"2126-01-01T00:00:00Z\"}";
    }

    @Test
    void keysComeFromTheServiceThatTheEnvironmentNames() throws Exception {
        try (ScriptedServer service =
                new ScriptedServer((request, reply) -> reply.answer(200, "", answer("id" + request.number())))) {
            Path token = Files.writeString(home.resolve("token"), "Bearer of the file\n");
            CredentialsSource source = source(Map.of(
                    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
                    service.address() + "/v1/keys?for=me",
                    "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
                    token.toString()));

            assertThat(source.current())
                    .isEqualTo(new Credentials.Keys("id1", "s", "t", Instant.parse("2126-01-01T00:00:00Z")));
            assertThat(source.current()).extracting("accessKeyId").isEqualTo("id1");
            assertThat(service.requests()).hasSize(1);
            assertThat(service.requests().getFirst().target()).isEqualTo("/v1/keys?for=me");
            assertThat(service.requests().getFirst().header("authorization")).isEqualTo("Bearer of the file");
        }
    }

    @Test
    void keysOfTheEnvironmentComeFirst() throws Exception {
        CredentialsSource source = source(Map.of(
                "AWS_ACCESS_KEY_ID", "id",
                "AWS_SECRET_ACCESS_KEY", "secret",
                "AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://127.0.0.1:1/"));
        assertThat(source.current()).isEqualTo(new Credentials.Keys("id", "secret"));
    }

    @Test
    void aRefusalSaysTheStatus() throws Exception {
        try (ScriptedServer service =
                new ScriptedServer((request, reply) -> reply.answer(403, "", "{\"code\": \"denied\"}"))) {
            assertThatThrownBy(source(Map.of("AWS_CONTAINER_CREDENTIALS_FULL_URI", service.address() + "/"))::current)
                    .isInstanceOf(CredentialsException.class)
                    .hasMessageContaining("status 403");
        }
    }

    @Test
    void aServiceInPassingTroubleIsAskedAgain() throws Exception {
        try (ScriptedServer service = new ScriptedServer((request, reply) -> {
            switch (request.number()) {
                case 1 -> reply.answer(429, "", "");
                case 2 -> reply.close();
                default -> reply.answer(200, "", answer("id" + request.number()));
            }
        })) {
            CredentialsSource source = source(Map.of("AWS_CONTAINER_CREDENTIALS_FULL_URI", service.address() + "/"));

            assertThat(source.current()).extracting("accessKeyId").isEqualTo("id3");
        }
    }

    @Test
    void strangersAreNotAskedInPlainText() {
        assertThatThrownBy(source(Map.of("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://192.0.2.1/keys"))::current)
                .isInstanceOf(CredentialsException.class)
                .hasMessageContaining("plain text");
    }
}
