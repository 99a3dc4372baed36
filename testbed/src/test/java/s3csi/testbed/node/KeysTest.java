package s3csi.testbed.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.testing.server.S3Server;
import s3csi.s3.testing.server.VersityServer;
import s3csi.s3.testing.server.VersityServer.Role;
import s3csi.testbed.csi.SecretDirectory;

/** Keys change under running workloads, and everybody has the rights of their own. */
final class KeysTest extends NodeStage {
    /** Enough for the reader to be in the middle of a read at any time. */
    private static final int READS = 20;

    @Override
    S3Server startServer() {
        return VersityServer.start();
    }

    private VersityServer versity() {
        return (VersityServer) server;
    }

    /** Reads one file after the other that nobody has read before, until told to stop. */
    private final class Reader implements AutoCloseable {
        final AtomicInteger reads = new AtomicInteger();
        private final AtomicReference<Throwable> failure = new AtomicReference<>();
        private final Thread thread;
        private volatile boolean isTold;

        Reader(String bucket, Path target) {
            thread = Thread.ofPlatform().start(() -> {
                try {
                    while (!isTold) {
                        String name = "file-" + reads.get();
                        put(bucket, name, name);
                        assertThat(target.resolve(name)).hasContent(name);
                        reads.incrementAndGet();
                    }
                } catch (AssertionError | RuntimeException e) {
                    failure.set(e);
                }
            });
        }

        void awaitMore() {
            int goal = reads.get() + READS;
            KeysTest.await("reading on", () -> reads.get() >= goal || failure.get() != null);
            assertThat(failure.get()).isNull();
        }

        @Override
        public void close() {
            isTold = true;
            KeysTest.await("the end of the reader", () -> !thread.isAlive());
        }
    }

    @Test
    void theDriversKeysAreRotatedUnderAReader() throws IOException {
        Credentials.Keys old = versity().createAccount("driver-old", Role.ADMIN);
        Credentials.Keys fresh = versity().createAccount("driver-new", Role.ADMIN);
        String bucket = bucket("driver-rotation");
        driverSecret.rotate(old);
        Path target = node.publish(bucket, "a");
        try (Reader reader = new Reader(bucket, target)) {
            reader.awaitMore();

            driverSecret.rotate(fresh);
            node.publish(bucket, "a");
            reader.awaitMore();
            versity().deleteAccount(old);

            // Only the new keys can do this.
            reader.awaitMore();
        }
        assertThat(node.engines()).hasSize(1);
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }

    @Test
    void theKeysOfAVolumeAreRotatedUnderAReader() throws IOException {
        Credentials.Keys old = versity().createAccount("volume-old", Role.ADMIN);
        Credentials.Keys fresh = versity().createAccount("volume-new", Role.ADMIN);
        String bucket = bucket("volume-rotation");
        Path target = node.publish(withSecret(bucket, "a", old));
        try (Reader reader = new Reader(bucket, target)) {
            reader.awaitMore();

            node.publish(withSecret(bucket, "a", fresh));
            reader.awaitMore();
            versity().deleteAccount(old);

            reader.awaitMore();
        }
        assertThat(node.engines()).hasSize(1);
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }

    @Test
    void workloadsWithDifferentKeysHaveTheirOwnRights() throws IOException {
        Credentials.Keys owner = versity().createAccount("owner", Role.USER);
        Credentials.Keys guest = versity().createAccount("guest", Role.USER);
        String bucket = bucket("two-tenants");
        versity().changeOwner(bucket, owner);
        allow(bucket, owner, guest);

        Path owners = node.publish(withSecret(bucket, "owner", owner));
        Path guests = node.publish(withSecret(bucket, "guest", guest));

        assertThat(node.engines()).as("keys are never shared").hasSize(2);
        Files.writeString(owners.resolve("new"), "by the owner");
        assertThat(guests.resolve("new")).hasContent("by the owner");
        assertThatThrownBy(() -> Files.writeString(guests.resolve("mine"), "by the guest"))
                .hasMessageContaining("Permission denied");
        node.unpublish(bucket, "owner");
        node.unpublish(bucket, "guest");
        assertNothingIsLeft();
    }

    private NodePublishVolumeRequest.Builder withSecret(String bucket, String workload, Credentials.Keys keys) {
        return node.request(bucket, workload)
                .putVolumeContext("authenticationSource", "secret")
                .putAllSecrets(SecretDirectory.content(keys));
    }

    /** The owner may do everything, the guest read. */
    private void allow(String bucket, Credentials.Keys owner, Credentials.Keys guest) {
        witness.putBucketPolicy(request ->
                request.bucket(bucket).policy("""
                        {"Version": "2012-10-17", "Statement": [
                         {"Effect": "Allow", "Principal": {"AWS": ["%1$s"]}, "Action": ["s3:*"],
                          "Resource": ["arn:aws:s3:::%3$s", "arn:aws:s3:::%3$s/*"]},
                         {"Effect": "Allow", "Principal": {"AWS": ["%2$s"]}, "Action": ["s3:GetObject", "s3:ListBucket"],
                          "Resource": ["arn:aws:s3:::%3$s", "arn:aws:s3:::%3$s/*"]}]}
                        """.formatted(owner.accessKeyId(), guest.accessKeyId(), bucket)));
    }
}
