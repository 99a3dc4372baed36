package s3csi.testbed.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.testing.server.S3Server;
import s3csi.s3.testing.server.VersityServer;
import s3csi.s3.testing.server.VersityServer.Role;
import s3csi.testbed.csi.Refusals;
import s3csi.testbed.csi.SecretDirectory;
import s3csi.volume.Driver;

/** Whose keys engines in Mountpoint Pods work with, and how these change. */
class PodKeysTest extends PodsStage {
    @Override
    S3Server startStore() {
        return VersityServer.start();
    }

    private VersityServer versity() {
        return (VersityServer) store;
    }

    /** A volume that wants keys of a Secret, which it names or not. */
    private void secretVolume(Optional<String> publishSecret) {
        witness.createBucket(request -> request.bucket(name("v")));
        put(name("v"), "greeting", name("v"));
        scenario.volume(
                "v", Driver.NAME, Map.of("bucketName", name("v"), "authenticationSource", "secret"), publishSecret);
        scenario.claim("v");
        scenario.bind("v");
    }

    private NodePublishVolumeRequest.Builder request(Pod workload) {
        return node.request(workload, name("v"), name("v")).putVolumeContext("authenticationSource", "secret");
    }

    @Test
    void theDriversKeysAreRotatedUnderAMount() throws IOException {
        Credentials.Keys old = versity().createAccount("pod-driver-old", Role.ADMIN);
        Credentials.Keys fresh = versity().createAccount("pod-driver-new", Role.ADMIN);
        driverSecret.rotate(old);
        try {
            volume("v");
            Pod workload = workload("app", "v");
            Path target = publish(workload, "v");
            assertThat(greeting(target)).isEqualTo(name("v"));
            driverSecret.rotate(fresh);
            publish(workload, "v");
            versity().deleteAccount(old);
            put(name("v"), "later", "still served");
            assertThat(target.resolve("later")).hasContent("still served");
            finish(workload, "v");
            awaitNothingIsLeft();
        } finally {
            driverSecret.rotate(store.root());
        }
    }

    @Test
    void aSecretsKeysAreRotatedAndNeverReplacedByTheDrivers() throws IOException {
        Credentials.Keys old = versity().createAccount("pod-tenant-old", Role.ADMIN);
        Credentials.Keys fresh = versity().createAccount("pod-tenant-new", Role.ADMIN);
        secretVolume(Optional.of("tenant"));
        Pod workload = workload("app", "v");
        Path target = node.publish(request(workload).putAllSecrets(SecretDirectory.content(old)));
        node.publish(request(workload).putAllSecrets(SecretDirectory.content(fresh)));
        versity().deleteAccount(old);
        put(name("v"), "later", "still served");
        assertThat(target.resolve("later")).hasContent("still served");
        Refusals.refused(Code.INVALID_ARGUMENT, () -> node.publish(request(workload)));
        assertThat(greeting(target)).isEqualTo(name("v"));
        versity().deleteAccount(fresh);
        put(name("v"), "last", "not for the driver's keys");
        await(
                "the tenant's keys are all that it has",
                () -> !target.resolve("last").toFile().canRead()
                        || !target.resolve("last").toFile().exists());
        finish(workload, "v");
        awaitNothingIsLeft();
    }

    @Test
    void aVolumeThatNamesASecretIsNotMountedWithoutOne() {
        secretVolume(Optional.of("tenant"));
        Pod workload = workload("app", "v");
        assertThat(Refusals.refused(Code.INVALID_ARGUMENT, () -> node.publish(request(workload))))
                .contains("nodePublishSecretRef");
        assertThat(node.mounts()).isEmpty();
        scenario.becomes(workload, "Succeeded");
        awaitNothingIsLeft();
    }

    /** A StorageClass may have a Secret for the provisioner only. */
    @Test
    void aVolumeThatNamesNoSecretIsMountedWithTheDriversKeys() throws IOException {
        secretVolume(Optional.empty());
        Pod workload = workload("app", "v");
        Path target = node.publish(request(workload));
        assertThat(greeting(target)).isEqualTo(name("v"));
        node.publish(request(workload));
        finish(workload, "v");
        awaitNothingIsLeft();
    }
}
