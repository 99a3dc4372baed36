package s3csi.testbed.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.PrivateCa;
import s3csi.s3.testing.server.S3Server;
import s3csi.testbed.csi.NodeProgram;
import s3csi.testbed.csi.Refusals;
import s3csi.testbed.csi.SecretDirectory;
import s3csi.testbed.s3.S3Clients;
import software.amazon.awssdk.services.s3.S3Client;

/** What cannot be mounted is refused with its cause and leaves nothing; once the cause is gone, the next call mounts. */
final class RefusedMountsTest extends NodeStage {
    /** From the first call after the cause is gone to its answer. */
    private static final Duration HEALS_WITHIN = Duration.ofSeconds(5);

    /** What anybody may rely on. */
    private static final Duration REFUSED_WITHIN = Duration.ofSeconds(20);

    @Override
    S3Server startServer() {
        return MinioServer.start();
    }

    @Test
    void aBucketThatIsNotThere() throws IOException {
        assertThat(refused(Code.NOT_FOUND, node.request("no-such-bucket", "a"))).contains("no-such-bucket");
        assertNothingIsLeft();

        assertMountsNow(bucket("no-such-bucket"));
    }

    @Test
    void wrongKeys() throws IOException {
        String bucket = bucket("wrong-keys");
        driverSecret.rotate(new Credentials.Keys(server.root().accessKeyId(), "not-the-secret"));
        assertThat(refused(Code.UNAUTHENTICATED, node.request(bucket, "a")))
                .contains(bucket, "the driver's credential Secret")
                .doesNotContain("not-the-secret");
        assertThat(refused(
                        Code.UNAUTHENTICATED,
                        node.request(bucket, "a")
                                .putVolumeContext("authenticationSource", "secret")
                                .putAllSecrets(SecretDirectory.content(
                                        new Credentials.Keys(server.root().accessKeyId(), "not-the-secret")))))
                .contains("the Secret this volume uses")
                .doesNotContain("the driver's credential Secret");
        assertNothingIsLeft();

        driverSecret.rotate(driverKeys);
        assertMountsNow(bucket);
    }

    @Test
    void keysOfNobody() throws IOException {
        String bucket = bucket("keys-of-nobody");
        driverSecret.rotate(new Credentials.Keys("NOBODY", "nothing"));
        assertThat(refused(Code.UNAUTHENTICATED, node.request(bucket, "a"))).contains(bucket);
        assertNothingIsLeft();

        driverSecret.rotate(driverKeys);
        assertMountsNow(bucket);
    }

    @Test
    void aStoreThatRefusesConnections() throws IOException {
        String bucket = bucket("store-away");
        network.refuse();
        assertIsRefusedInTime(bucket);

        network.pass();
        assertMountsNow(bucket);
    }

    @Test
    void aStoreThatSaysNothing() throws IOException {
        String bucket = bucket("store-silent");
        network.blackhole();
        assertIsRefusedInTime(bucket);

        network.pass();
        assertMountsNow(bucket);
    }

    @Test
    void aCertificateThatNobodyTrustsYet() throws IOException {
        PrivateCa authority = PrivateCa.create();
        Path authorities = Scratch.directory("authorities");
        Files.writeString(authorities.resolve("other.pem"), PrivateCa.create().certificatePem());
        try (MinioServer secure = MinioServer.startWithTls(authority);
                S3Client owner = S3Clients.root(secure);
                NodeProgram stranger = NodeProgram.start(
                        withAuthorities(NodeProgram.environment(secure), authorities), Scratch.directory("node"))) {
            owner.createBucket(request -> request.bucket("secured"));
            NodePublishVolumeRequest request = stranger.request("secured", "a").build();
            assertThat(Refusals.refused(
                            Code.FAILED_PRECONDITION, () -> stranger.node().nodePublishVolume(request)))
                    .contains("certificate");
            assertThat(stranger.mounts()).isEmpty();
            assertThat(stranger.engines()).isEmpty();

            Files.writeString(authorities.resolve("right.pem"), authority.certificatePem());

            Path target = stranger.publish("secured", "a");
            Files.writeString(target.resolve("greeting"), "hello");
            assertThat(target.resolve("greeting")).hasContent("hello");
            stranger.unpublish("secured", "a");
        }
    }

    private static Map<String, String> withAuthorities(Map<String, String> environment, Path directory) {
        Map<String, String> changed = new HashMap<>(environment);
        changed.put("AWS_CA_BUNDLE", directory.toString());
        return changed;
    }

    @Test
    void aSecretWithoutKeys() throws IOException {
        String bucket = bucket("bad-secret");
        NodePublishVolumeRequest.Builder request =
                node.request(bucket, "a").putVolumeContext("authenticationSource", "secret");
        assertThat(refused(Code.INVALID_ARGUMENT, request.clone().putAllSecrets(Map.of("access_key_id", "A"))))
                .contains("secret_access_key");
        assertNothingIsLeft();
    }

    @Test
    void settingsThatCannotBeUsed() throws IOException {
        String bucket = bucket("unusable");
        NodePublishVolumeRequest.Builder grouped = node.request(bucket, "a", "cache");
        grouped.getVolumeCapabilityBuilder().getMountBuilder().setVolumeMountGroup("4711");
        assertThat(refused(Code.INVALID_ARGUMENT, grouped)).contains("its value is missing");
        assertThat(refused(Code.INVALID_ARGUMENT, node.request(bucket, "a", "bind no-such-card")))
                .contains("no-such-card");
        assertThat(refused(
                        Code.INVALID_ARGUMENT,
                        node.request(bucket, "a")
                                .putVolumeContext("mountpointEnv.HTTPS_PROXY", "socks5://proxy.example")))
                .contains("the proxy in HTTPS_PROXY cannot be used");
        assertThat(refused(Code.INVALID_ARGUMENT, node.request(bucket, "a", "alow-delete")))
                .contains("mountOptions", "'--alow-delete'", "a similar argument exists: '--allow-delete'");
        assertNothingIsLeft();
    }

    @Test
    void aTargetThatIsALink() throws IOException {
        String bucket = bucket("linked");
        Path elsewhere = Scratch.directory("elsewhere");
        Files.createDirectories(node.pods().resolve("linked"));
        Path link = Files.createSymbolicLink(node.target("linked"), elsewhere);

        assertThat(refused(Code.INVALID_ARGUMENT, node.request(bucket, "linked")))
                .contains("symbolic link");

        assertThat(elsewhere).isEmptyDirectory();
        Files.delete(link);
        assertNothingIsLeft();
    }

    @Test
    void aTargetThatIsInUseStaysUntilItIsNot() throws IOException {
        String bucket = bucket("busy");
        Path target = node.publish(bucket, "a");
        try (var _ = Files.newInputStream(target.resolve("greeting"))) {
            assertThat(Refusals.refused(Code.UNAVAILABLE, () -> node.unpublish(bucket, "a")))
                    .contains("while something uses it");
            assertThat(greeting(target)).isEqualTo(bucket);
        }
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }

    /** With the reason, and before whoever waits for it gives up. */
    private void assertIsRefusedInTime(String bucket) throws IOException {
        long started = System.nanoTime();
        assertThat(refused(Code.UNAVAILABLE, node.request(bucket, "a")))
                .contains(network.endpoint().getHost());
        assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(REFUSED_WITHIN);
        assertNothingIsLeft();
    }

    private void assertMountsNow(String bucket) throws IOException {
        long started = System.nanoTime();
        Path target = node.publish(bucket, "a");
        assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(HEALS_WITHIN);
        assertThat(greeting(target)).isEqualTo(bucket);
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }
}
