package s3csi.testbed.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.testing.server.S3Server;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** What tests may rely on, whichever server they run against. */
@Tag("s3")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class S3ServerContract {
    private final S3Server server = startServer();
    private final S3Client client = S3Clients.root(server);

    abstract S3Server startServer();

    @AfterAll
    void close() {
        client.close();
        server.close();
    }

    @Test
    void keepsWhatWasPut() {
        client.createBucket(request -> request.bucket("kept"));
        client.putObject(request -> request.bucket("kept").key("a/b"), RequestBody.fromString("hello"));

        assertThat(read("kept", "a/b")).isEqualTo("hello");
    }

    @Test
    void refusesKeysItDoesNotKnow() {
        try (var stranger = S3Clients.of(server, new Credentials.Keys("stranger", "not-the-secret"))) {
            assertThatThrownBy(() -> stranger.listBuckets())
                    .isInstanceOfSatisfying(
                            S3Exception.class,
                            refusal -> assertThat(refusal.statusCode()).isEqualTo(403));
        }
    }

    @Test
    void comesBackAfterACrashOnTheSamePortWithItsData() {
        client.createBucket(request -> request.bucket("crash"));
        client.putObject(request -> request.bucket("crash").key("key"), RequestBody.fromString("survives"));
        URI before = server.endpoint();

        server.kill();
        assertThatThrownBy(() -> client.listBuckets()).isInstanceOf(SdkClientException.class);
        server.restart();

        assertThat(server.endpoint()).isEqualTo(before);
        assertThat(read("crash", "key")).isEqualTo("survives");
    }

    @Test
    void canBeStoppedAndStartedAgain() {
        server.stop();
        assertThatThrownBy(() -> client.listBuckets()).isInstanceOf(SdkClientException.class);
        server.restart();

        assertThat(client.listBuckets().buckets()).isNotNull();
    }

    final S3Server server() {
        return server;
    }

    private String read(String bucket, String key) {
        return client.getObjectAsBytes(request -> request.bucket(bucket).key(key))
                .asUtf8String();
    }
}
