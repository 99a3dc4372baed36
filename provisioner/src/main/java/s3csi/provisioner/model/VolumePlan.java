package s3csi.provisioner.model;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * All about a volume that is to be made, before the driver is asked for it.
 *
 * @param parameters what the driver is given of those of the class
 * @param provisionerSecret whose keys make and delete it
 * @param nodePublishSecret whose keys mount it
 */
public record VolumePlan(
        PersistentVolumeClaim claim,
        StorageClass storageClass,
        List<AccessMode> modes,
        Map<String, String> parameters,
        Optional<SecretName> provisionerSecret,
        Optional<SecretName> nodePublishSecret) {

    /** @throws Unusable if it cannot be had as it is asked for */
    static VolumePlan of(PersistentVolumeClaim claim, StorageClass storageClass) {
        Map<String, String> parameters = Objects.requireNonNullElse(storageClass.getParameters(), Map.of());
        SecretTemplate.Asker asker = new SecretTemplate.Asker(
                claim.getMetadata().getNamespace(),
                claim.getMetadata().getName(),
                Objects.requireNonNullElse(claim.getMetadata().getAnnotations(), Map.of()));
        return new VolumePlan(
                claim,
                storageClass,
                claim.getSpec().getAccessModes().stream().map(AccessMode::of).toList(),
                ClassParameters.forDriver(parameters),
                SecretTemplate.PROVISIONER.resolve(parameters, nameFor(claim), asker),
                SecretTemplate.NODE_PUBLISH.resolve(parameters, nameFor(claim), asker));
    }

    /** One claim means one volume, however often and by whomever it is made. */
    static String nameFor(PersistentVolumeClaim claim) {
        return "pvc-" + claim.getMetadata().getUid();
    }

    public String name() {
        return nameFor(claim);
    }

    public boolean isBlock() {
        return "Block".equals(claim.getSpec().getVolumeMode());
    }

    public String fileSystem() {
        return ClassParameters.fileSystem(Objects.requireNonNullElse(storageClass.getParameters(), Map.of()));
    }

    public List<String> mountOptions() {
        return List.copyOf(Objects.requireNonNullElse(storageClass.getMountOptions(), List.of()));
    }

    /** What the claim asks for; Kubernetes takes none without it. */
    Quantity request() {
        return claim.getSpec().getResources() == null
                ? new Quantity("0")
                : Objects.requireNonNullElse(claim.getSpec().getResources().getRequests(), Map.<String, Quantity>of())
                        .getOrDefault("storage", new Quantity("0"));
    }

    /** Whole bytes, and not fewer than were asked for. */
    public long requiredBytes() {
        BigDecimal bytes = request().getNumericalAmount().setScale(0, RoundingMode.CEILING);
        return bytes.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue();
    }
}
