package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Classes with Secrets: what their volumes carry, and that both Secrets may be elsewhere and of another account than the driver's. */
class DynamicAuthE2eTest extends AccountsStage {
    @Test
    void aVolumeCarriesWhatItsClassAsksFor() {
        secret("keys", cluster.tenant());
        PersistentVolumeClaim claim = claim(
                "full",
                classWith(
                        "full",
                        madeWith(namespace, "keys"),
                        mountedWith(namespace, "keys"),
                        Map.of("bucketNamePrefix", "team-", "region", "us-east-1")));
        PersistentVolume volume = boundVolume(claim);
        String bucket = volume.getSpec().getCsi().getVolumeHandle();
        assertThat(bucket).startsWith("team-csi-s3-");
        assertThat(volume.getSpec().getCsi().getVolumeAttributes())
                .containsEntry("bucketName", bucket)
                .containsEntry("dynamicProvisioning", "true")
                .containsEntry("authenticationSource", "secret")
                .containsEntry("region", "us-east-1");
        assertThat(volume.getSpec().getCsi().getNodePublishSecretRef())
                .matches(reference -> reference.getNamespace().equals(namespace))
                .matches(reference -> reference.getName().equals("keys"));
        assertThat(volume.getSpec().getMountOptions()).containsExactly("allow-delete");
        assertThat(volume.getSpec().getAccessModes()).containsExactly("ReadWriteMany");
        assertThat(volume.getSpec().getCapacity().get("storage")).hasToString("1Gi");
        assertThat(volume.getMetadata().getAnnotations())
                .containsEntry("volume.kubernetes.io/provisioner-deletion-secret-name", "keys")
                .containsEntry("volume.kubernetes.io/provisioner-deletion-secret-namespace", namespace);
        assertThat(ownerOf(bucket)).isEqualTo("tenant");
    }

    @Test
    void theSecretsThatMakeAndMountABucketMayBeInTwoNamespaces() {
        String admins = furtherNamespace("admins");
        String users = furtherNamespace("users");
        secret(admins, "keys", cluster.tenant());
        secret(users, "keys", cluster.tenant());
        PersistentVolumeClaim claim =
                claim("data", classWith("two", madeWith(admins, "keys"), mountedWith(users, "keys")));
        Pod pod = runningWorkload("app", "data");
        shell(pod, "echo of the tenant >/data/note");
        PersistentVolume volume = boundVolume(claim);
        assertThat(attribute(volume, "authenticationSource")).isEqualTo("secret");
        assertThat(ownerOf(bucketOf(volume))).isEqualTo("tenant");
        assertThat(stored(bucketOf(volume), "note")).isEqualTo("of the tenant\n");
    }
}
