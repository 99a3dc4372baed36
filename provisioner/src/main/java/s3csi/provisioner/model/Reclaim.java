package s3csi.provisioner.model;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import s3csi.volume.Driver;

/** What is to become of a PersistentVolume. Only one that was provisioned for this driver is ever touched. */
public enum Reclaim {
    NOTHING,
    /** It is in use and its bucket must go with it, so the object must not go first. */
    HOLD,
    /** Its bucket stays, so the object may go whenever somebody deletes it. */
    LET_GO,
    /** The bucket, then the object. */
    DELETE;

    public static boolean isOurs(PersistentVolume volume) {
        return Marks.on(volume, Marks.PROVISIONED_BY)
                .filter(Driver.NAME::equals)
                .isPresent();
    }

    public static Reclaim of(PersistentVolume volume) {
        if (!isOurs(volume)
                || volume.getSpec().getCsi() == null
                || !Driver.NAME.equals(volume.getSpec().getCsi().getDriver())) {
            return NOTHING;
        }
        String phase = volume.getStatus() == null
                ? ""
                : Objects.requireNonNullElse(volume.getStatus().getPhase(), "");
        boolean isGoing = volume.getMetadata().getDeletionTimestamp() != null;
        if (!"Delete".equals(volume.getSpec().getPersistentVolumeReclaimPolicy())) {
            return isHeld(volume) ? LET_GO : NOTHING;
        }
        if (!isGoing && phase.equals("Bound") && !isHeld(volume)) {
            return HOLD;
        }
        // One that goes and is not held has been through this already.
        return phase.equals("Released") && (!isGoing || isHeld(volume)) ? DELETE : NOTHING;
    }

    private static boolean isHeld(PersistentVolume volume) {
        return finalizers(volume).contains(Marks.FINALIZER);
    }

    public static List<String> finalizers(PersistentVolume volume) {
        return Objects.requireNonNullElse(volume.getMetadata().getFinalizers(), List.of());
    }

    /**
     * The Secret to delete with; empty if there is none.
     *
     * @param ofClass the parameters of the volume's class, if it is there: early provisioners noted no Secret
     */
    public static Optional<SecretName> deletionSecret(PersistentVolume volume, Optional<Map<String, String>> ofClass) {
        Optional<String> name = Marks.on(volume, Marks.DELETION_SECRET_NAME);
        Optional<String> namespace = Marks.on(volume, Marks.DELETION_SECRET_NAMESPACE);
        if (name.isPresent() && namespace.isPresent()) {
            return name.get().isEmpty() || namespace.get().isEmpty()
                    ? Optional.empty()
                    : Optional.of(new SecretName(namespace.get(), name.get()));
        }
        var claim = volume.getSpec().getClaimRef();
        return claim == null
                ? Optional.empty()
                : ofClass.flatMap(parameters -> SecretTemplate.PROVISIONER.resolve(
                        parameters,
                        volume.getMetadata().getName(),
                        new SecretTemplate.Asker(claim.getNamespace(), claim.getName(), Map.of())));
    }
}
