package s3csi.provisioner.model;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import java.util.Map;
import s3csi.volume.Driver;

/** A claim that is to be provisioned at once, and its class. */
final class Claims {
    private Claims() {}

    static PersistentVolumeClaim claim() {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withNamespace("team")
                .withName("data")
                .withUid("1-2-3")
                .withResourceVersion("7")
                .addToAnnotations(Marks.PROVISIONER, Driver.NAME)
                .addToAnnotations("tenant", "blue")
                .endMetadata()
                .withNewSpec()
                .withAccessModes("ReadWriteMany")
                .withStorageClassName("s3")
                .withVolumeMode("Filesystem")
                .withNewResources()
                .addToRequests("storage", new Quantity("5Gi"))
                .endResources()
                .endSpec()
                .build();
    }

    static StorageClass storageClass(Map<String, String> parameters) {
        return new StorageClassBuilder()
                .withNewMetadata()
                .withName("s3")
                .endMetadata()
                .withProvisioner(Driver.NAME)
                .withReclaimPolicy("Delete")
                .withVolumeBindingMode("Immediate")
                .withMountOptions("allow-delete", "uid=1000")
                .withParameters(parameters)
                .build();
    }
}
