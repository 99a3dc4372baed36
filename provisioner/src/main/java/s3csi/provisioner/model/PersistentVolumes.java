package s3csi.provisioner.model;

import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecretReference;
import io.fabric8.kubernetes.api.model.SecretReferenceBuilder;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import s3csi.volume.Driver;

/** PersistentVolumes as csi-provisioner 5 writes them. */
public final class PersistentVolumes {
    private static final String[] UNITS = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
    private static final int UNIT = 1024;

    private PersistentVolumes() {}

    /**
     * The object for a volume that the driver made.
     *
     * @param identity which run of the provisioner made it
     */
    public static PersistentVolume of(VolumePlan plan, MadeVolume made, String identity) {
        Map<String, String> attributes = new TreeMap<>(made.attributes());
        attributes.putIfAbsent(Marks.IDENTITY, identity);
        Optional<SecretName> secret = plan.provisionerSecret();
        return new PersistentVolumeBuilder()
                .withNewMetadata()
                .withName(plan.name())
                .addToAnnotations(Marks.PROVISIONED_BY, Driver.NAME)
                .addToAnnotations(
                        Marks.DELETION_SECRET_NAME, secret.map(SecretName::name).orElse(""))
                .addToAnnotations(
                        Marks.DELETION_SECRET_NAMESPACE,
                        secret.map(SecretName::namespace).orElse(""))
                .withFinalizers(Marks.FINALIZER)
                .endMetadata()
                .withNewSpec()
                .withAccessModes(plan.claim().getSpec().getAccessModes())
                .addToCapacity("storage", made.bytes() == 0 ? plan.request() : quantity(made.bytes()))
                .withClaimRef(new ObjectReferenceBuilder()
                        .withApiVersion("v1")
                        .withKind("PersistentVolumeClaim")
                        .withNamespace(plan.claim().getMetadata().getNamespace())
                        .withName(plan.claim().getMetadata().getName())
                        .withUid(plan.claim().getMetadata().getUid())
                        .withResourceVersion(plan.claim().getMetadata().getResourceVersion())
                        .build())
                .withPersistentVolumeReclaimPolicy(plan.storageClass().getReclaimPolicy())
                .withStorageClassName(ClaimDecision.classOf(plan.claim()))
                .withMountOptions(plan.mountOptions())
                .withVolumeMode(plan.claim().getSpec().getVolumeMode())
                .withNewCsi()
                .withDriver(Driver.NAME)
                .withVolumeHandle(made.id())
                .withVolumeAttributes(attributes)
                .withFsType(plan.isBlock() || plan.fileSystem().isEmpty() ? null : plan.fileSystem())
                .withNodePublishSecretRef(plan.nodePublishSecret()
                        .map(PersistentVolumes::reference)
                        .orElse(null))
                .endCsi()
                .endSpec()
                .build();
    }

    private static @Nullable SecretReference reference(SecretName secret) {
        return new SecretReferenceBuilder()
                .withNamespace(secret.namespace())
                .withName(secret.name())
                .build();
    }

    /** In the largest unit that has a whole number of it, as Kubernetes writes sizes. */
    static Quantity quantity(long bytes) {
        int unit = 0;
        long amount = bytes;
        while (amount % UNIT == 0 && unit < UNITS.length - 1) {
            amount /= UNIT;
            unit++;
        }
        return new Quantity(String.valueOf(amount), UNITS[unit]);
    }
}
