package s3csi.provisioner.model;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpec;
import io.fabric8.kubernetes.api.model.TypedLocalObjectReference;
import io.fabric8.kubernetes.api.model.TypedObjectReference;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.Objects;
import java.util.Optional;
import s3csi.volume.Driver;
import s3csi.volume.Printable;

/** What is to become of a claim. */
public sealed interface ClaimDecision {
    /** Nothing now. An event tells when that changes. */
    record Nothing() implements ClaimDecision {}

    /** Something else fills the volume, and makes it too. */
    record LeftTo(String kind) implements ClaimDecision {}

    /** It cannot be had. Somebody may mend it, so it is looked at again. */
    record Refused(String message) implements ClaimDecision {}

    record Provisioned(VolumePlan plan) implements ClaimDecision {}

    /** Whether the claim waits for a volume of this driver. */
    static boolean isCandidate(PersistentVolumeClaim claim) {
        String volume = claim.getSpec() == null ? null : claim.getSpec().getVolumeName();
        return (volume == null || volume.isEmpty())
                && Marks.on(claim, Marks.PROVISIONER)
                        .or(() -> Marks.on(claim, Marks.PROVISIONER_OF_BETA))
                        .filter(Driver.NAME::equals)
                        .isPresent();
    }

    /** The class of a claim; empty if it has none. */
    static String classOf(PersistentVolumeClaim claim) {
        return Marks.on(claim, Marks.CLASS_OF_BETA)
                .orElseGet(() -> Objects.requireNonNullElse(claim.getSpec().getStorageClassName(), ""));
    }

    /**
     * Decides.
     *
     * @param named the class of the claim, if it is there
     */
    static ClaimDecision about(PersistentVolumeClaim claim, Optional<StorageClass> named) {
        if (!isCandidate(claim) || claim.getMetadata().getDeletionTimestamp() != null) {
            return new Nothing();
        }
        if (named.isEmpty()) {
            return new Refused("there is no StorageClass " + Printable.quoted(classOf(claim))
                    + ". Make it, or make the claim anew with another");
        }
        StorageClass storageClass = named.get();
        if (!Driver.NAME.equals(storageClass.getProvisioner()) || waitsForItsFirstPod(claim, storageClass)) {
            return new Nothing();
        }
        Optional<String> source = kindOfSource(claim.getSpec());
        if (source.isPresent()) {
            return switch (source.get()) {
                case "VolumeSnapshot", "PersistentVolumeClaim" ->
                    new Refused("the claim wants to begin as a copy of a " + source.get()
                            + ", and this driver neither clones nor restores. Remove dataSource, and copy the files");
                default -> new LeftTo(source.get());
            };
        }
        if (claim.getSpec().getSelector() != null) {
            return new Refused(
                    "the claim has a selector, which chooses among volumes that are there; a volume that is made"
                            + " has no labels. Remove the selector, or name a volume with volumeName");
        }
        try {
            return new Provisioned(VolumePlan.of(claim, storageClass));
        } catch (Unusable e) {
            return new Refused(Objects.requireNonNullElse(e.getMessage(), "it cannot be had"));
        }
    }

    /** Of one in another namespace only the newer of the two fields tells. */
    private static Optional<String> kindOfSource(PersistentVolumeClaimSpec spec) {
        return Optional.ofNullable(spec.getDataSource())
                .map(TypedLocalObjectReference::getKind)
                .or(() -> Optional.ofNullable(spec.getDataSourceRef()).map(TypedObjectReference::getKind));
    }

    private static boolean waitsForItsFirstPod(PersistentVolumeClaim claim, StorageClass storageClass) {
        return "WaitForFirstConsumer".equals(storageClass.getVolumeBindingMode())
                && Marks.on(claim, Marks.SELECTED_NODE).orElse("").isEmpty();
    }
}
