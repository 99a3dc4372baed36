package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import s3csi.s3.credentials.Credentials;

/** Keys are replaced in Secrets, and the store then refuses the old ones: readers and writers go on, and nothing is restarted. */
@Isolated("the driver has other keys for a while")
class RotationE2eTest extends FaultStage {
    private final LiveNode node = LiveNode.of(cluster, 1);
    private final Terminal terminal = new Terminal(cluster);

    @Test
    void theKeysOfTheDriverAndOfAVolume() {
        Credentials.Keys early = newAccount("early");
        Credentials.Keys later = newAccount("later");
        String drivers = bucket("of-the-driver");
        staticVolume(drivers);
        String tenants = bucket("of-a-tenant");
        secret(namespace, "tenant", early);
        staticVolume(
                tenants,
                tenants,
                spec -> spec.editCsi()
                        .addToVolumeAttributes("authenticationSource", "secret")
                        .withNewNodePublishSecretRef("tenant", namespace)
                        .endCsi());
        Traffic onDrivers = Traffic.on(this, "with-driver-keys", drivers);
        Traffic onTenants = Traffic.on(this, "with-own-keys", tenants);
        Pod driversEngine = engineOf(drivers);
        Pod tenantsEngine = engineOf(tenants);
        assertThat(node.hasKeys(tenantsEngine, early)).isTrue();
        try {
            secret(namespace, "tenant", later);
            secret("kube-system", "s3-secret", later);
            awaitKeys(tenantsEngine, early, later);
            awaitKeys(driversEngine, cluster.driver(), later);
            store("delete-user", "--access", early.accessKeyId());
            store(
                    "update-user",
                    "--access",
                    cluster.driver().accessKeyId(),
                    "--secret",
                    UUID.randomUUID().toString());
            onDrivers.assertGoesOn();
            onTenants.assertGoesOn();
            staticVolume(drivers + "-again", drivers, spec -> spec);
            assertThat(shell(runningWorkload("late", drivers + "-again"), "cat /data/greeting"))
                    .isEqualTo(drivers);
            makeAndDelete(claim("dynamic", storageClass()));
        } finally {
            store(
                    "update-user",
                    "--access",
                    cluster.driver().accessKeyId(),
                    "--secret",
                    cluster.driver().secretAccessKey());
            secret("kube-system", "s3-secret", cluster.driver());
            awaitKeys(driversEngine, later, cluster.driver());
        }
        onDrivers.assertGoesOn();
        finish(onTenants.pod());
        store("delete-user", "--access", later.accessKeyId());
        onDrivers.assertGoesOn();
    }

    /** With the keys that made its bucket: others may not delete it. */
    private void makeAndDelete(PersistentVolumeClaim claim) {
        PersistentVolume made = boundVolume(claim);
        client.resource(claim).delete();
        await(() -> "the volume is not deleted", () -> client.resource(made).get() == null);
    }

    /** One that may do everything with every bucket. */
    private Credentials.Keys newAccount(String name) {
        Credentials.Keys keys =
                new Credentials.Keys(namespace + "-" + name, UUID.randomUUID().toString());
        store("create-user", "--access", keys.accessKeyId(), "--secret", keys.secretAccessKey(), "--role", "admin");
        return keys;
    }

    private void store(String... command) {
        terminal.run("S3CSI_HOME=$PWD exec launcher/step.sh store_accounts " + String.join(" ", command));
    }

    private void secret(String where, String name, Credentials.Keys keys) {
        client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(where)
                        .withName(name)
                        .endMetadata()
                        .withStringData(Map.of(
                                "access_key_id", keys.accessKeyId(), "secret_access_key", keys.secretAccessKey()))
                        .build())
                .createOr(existing -> existing.patch());
    }

    private Pod engineOf(String volume) {
        return mountpointPodNamed(cluster.mountpointPods(volume).getFirst());
    }

    private void awaitKeys(Pod engine, Credentials.Keys old, Credentials.Keys keys) {
        await(
                () -> "the driver does not give the engine the keys " + keys.accessKeyId(),
                () -> node.hasKeys(engine, keys) && !node.hasKeys(engine, old));
    }
}
