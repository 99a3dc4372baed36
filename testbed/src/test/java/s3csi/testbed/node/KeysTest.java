package s3csi.testbed.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.testing.server.S3Server;
import s3csi.s3.testing.server.VersityServer;
import s3csi.s3.testing.server.VersityServer.Role;
import s3csi.testbed.csi.NodeProgram;
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
    void anEmptiedSecretDoesNotBringTheDriversKeys() throws IOException {
        Credentials.Keys tenant = versity().createAccount("tenant", Role.USER);
        String bucket = bucket("emptied");
        String foreign = bucket("not-for-tenants");
        versity().changeOwner(bucket, tenant);
        Path target = node.publish(withSecret(bucket, "a", tenant));
        NodePublishVolumeRequest.Builder emptied =
                node.request(bucket, "a").putVolumeContext("authenticationSource", "secret");

        assertThat(refused(Code.INVALID_ARGUMENT, emptied)).contains("brings no keys");

        assertThat(keysInUse()).contains(tenant.accessKeyId()).doesNotContain(driverKeys.accessKeyId());
        Files.writeString(target.resolve("new"), "with the tenant's keys");
        node.unpublish(bucket, "a");
        assertThat(refused(
                        Code.INVALID_ARGUMENT,
                        node.request(foreign, "a").putVolumeContext("authenticationSource", "secret")))
                .contains("--driver-keys-without-secret");
        assertNothingIsLeft();
    }

    @Test
    void anAdministratorMayLetVolumesWithoutASecretUseTheDriversKeys() throws IOException {
        String bucket = bucket("generous");
        try (NodeProgram generous = startNode(Map.of(), "--driver-keys-without-secret")) {
            Path target =
                    generous.publish(generous.request(bucket, "a").putVolumeContext("authenticationSource", "secret"));
            assertThat(greeting(target)).isEqualTo(bucket);
            generous.unpublish(bucket, "a");
        }
    }

    @Test
    void targetsWithDifferentKeysDoNotTakeThemFromEachOther() throws IOException {
        Credentials.Keys first = versity().createAccount("keys-first", Role.ADMIN);
        Credentials.Keys second = versity().createAccount("keys-second", Role.ADMIN);
        String bucket = bucket("two-targets");
        Path target = node.publish(withSecret(bucket, "a", first));
        node.publish(withSecret(bucket, "b", first));
        node.publish(withSecret(bucket, "b", second));
        for (int i = 0; i < 3; i++) {
            node.publish(withSecret(bucket, "a", first));
            assertThat(keysInUse()).contains(second.accessKeyId());
            node.publish(withSecret(bucket, "b", second));
        }
        node.kill();
        node.startAgain();
        node.publish(withSecret(bucket, "a", first));
        assertThat(keysInUse()).contains(second.accessKeyId());
        versity().deleteAccount(first);
        put(bucket, "later", "by the second keys");
        assertThat(target.resolve("later")).hasContent("by the second keys");
        node.unpublish(bucket, "a");
        node.unpublish(bucket, "b");
        assertNothingIsLeft();
    }

    /** What is in the files of the one engine. */
    private String keysInUse() throws IOException {
        StringBuilder keys = new StringBuilder();
        for (Path file : sources()) {
            if (file.toString().endsWith("-credentials")) {
                keys.append(Files.readString(file));
            }
        }
        return keys.toString();
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
