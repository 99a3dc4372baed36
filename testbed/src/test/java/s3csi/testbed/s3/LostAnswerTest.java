package s3csi.testbed.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.S3Server;
import s3csi.s3.testing.server.VersityServer;
import software.amazon.awssdk.core.exception.SdkException;

@Tag("s3")
final class LostAnswerTest {
    @Test
    void minioHasDoneWhatItsLostAnswerSaid() {
        try (var server = MinioServer.start()) {
            assertThatABucketIsMadeThoughTheAnswerIsLost(server);
        }
    }

    @Test
    void versityHasDoneWhatItsLostAnswerSaid() {
        try (var server = VersityServer.start()) {
            assertThatABucketIsMadeThoughTheAnswerIsLost(server);
        }
    }

    // The JDK's HTTP client sends a PUT without a body again by itself, and then meets the conflict with what the first
    // one did; so the call fails either way if, and only if, the server processed it.
    private static void assertThatABucketIsMadeThoughTheAnswerIsLost(S3Server server) {
        try (var proxy = TcpProxy.before(server.endpoint());
                var client = S3Clients.at(proxy.endpoint(), server, server.root());
                var witness = S3Clients.root(server)) {
            proxy.loseNextAnswer("PUT ");

            assertThatThrownBy(() -> client.createBucket(request -> request.bucket("answer-lost")))
                    .isInstanceOf(SdkException.class);
            assertThat(proxy.answersLost()).isEqualTo(1);
            assertThat(witness.listBuckets().buckets())
                    .singleElement()
                    .satisfies(bucket -> assertThat(bucket.name()).isEqualTo("answer-lost"));
        }
    }
}
