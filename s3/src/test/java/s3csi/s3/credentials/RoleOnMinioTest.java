package s3csi.s3.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import s3csi.s3.Condition;
import s3csi.s3.ListRequest;
import s3csi.s3.ObjectAttributes;
import s3csi.s3.Payload;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.client.HttpObjectStore;
import s3csi.s3.client.HttpStoreOptions;
import s3csi.s3.http.Trust;
import s3csi.s3.testing.server.MinioServer;

/** MinIO's token service, which checks signatures and gives keys that its store then takes, or does not. */
@Tag("s3")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoleOnMinioTest {
    private final MinioServer server = MinioServer.startInMemory();

    @TempDir
    Path home;

    @AfterAll
    void stop() {
        server.close();
    }

    private CredentialsSource role(Credentials.Keys user) throws Exception {
        Path file =
                Files.writeString(home.resolve("profiles"), """
                [user]
                aws_access_key_id = %s
                aws_secret_access_key = %s
                [role]
                role_arn = arn:minio:iam:::role/any
                source_profile = user
                duration_seconds = 900
                """.formatted(user.accessKeyId(), user.secretAccessKey()));
        Map<String, String> environment =
                Map.of("HOME", home.toString(), "AWS_SHARED_CREDENTIALS_FILE", file.toString());
        URI store = server.endpoint();
        return new CredentialsOptions(environment, false, "role", store, null, Trust.platform(), Clock.systemUTC())
                .source();
    }

    private HttpObjectStore store(String bucket, CredentialsSource source) {
        return new HttpObjectStore(
                HttpStoreOptions.forBucket(bucket).endpoint(server.endpoint()).credentials(source));
    }

    @Test
    void aUserAssumesARoleByAProfileAndListsABucket() throws Exception {
        server.createBucket("roles");
        Credentials.Keys user = server.createAccount("writer", "readwrite");
        CredentialsSource source = role(user);

        Credentials.Keys keys = (Credentials.Keys) source.current();
        assertThat(keys.accessKeyId()).isNotEqualTo(user.accessKeyId());
        assertThat(keys.sessionToken()).isNotEmpty();
        assertThat(keys.expiry())
                .isBetween(Instant.now().plusSeconds(600), Instant.now().plusSeconds(1000));
        try (HttpObjectStore store = store("roles", source)) {
            store.put("key", Payload.EMPTY, ObjectAttributes.DEFAULTS, Condition.NONE);
            assertThat(store.list(ListRequest.directory("")).objects())
                    .singleElement()
                    .satisfies(object -> assertThat(object.key()).isEqualTo("key"));
        }
    }

    @Test
    void aRoleMayNotWhatItsUserMayNot() throws Exception {
        server.createBucket("roles-closed");
        // MinIO's policy of this name lets objects be read, but not be listed.
        CredentialsSource source = role(server.createAccount("reader", "readonly"));
        try (HttpObjectStore store = store("roles-closed", source)) {
            assertThatThrownBy(() -> store.list(ListRequest.directory("")))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.failure())
                                    .isEqualTo(
                                            new StoreFailure.Forbidden(StoreFailure.Forbidden.Reason.ACCESS_DENIED)));
        }
    }

    @Test
    void aWrongSecretIsRefusedInTheWordsOfTheService() throws Exception {
        assertThatThrownBy(role(new Credentials.Keys("nobody", "no-secret"))::current)
                .isInstanceOf(CredentialsException.class)
                .hasMessageContaining(server.endpoint() + " refuses role arn:minio:iam:::role/any to nobody: 403");
    }
}
