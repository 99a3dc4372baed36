package s3csi.provisioner.loop;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.control.Announcements;
import s3csi.control.NotYet;
import s3csi.provisioner.csi.CsiController;
import s3csi.provisioner.csi.DriverRefusal;
import s3csi.provisioner.model.Marks;
import s3csi.provisioner.model.Reclaim;
import s3csi.provisioner.model.Unusable;

/** Deletes what was released, and sees to it that an object does not go before its bucket. */
final class VolumeWork {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeWork.class);

    /** The reason that csi-provisioner gives. */
    private static final String FAILED = "VolumeFailedDelete";

    private final KubernetesClient client;
    private final ProvisioningCache cache;
    private final CsiController driver;
    private final SecretReader secrets;
    private final ProvisioningWrites writes;
    private final Announcements announcements;

    VolumeWork(
            KubernetesClient client,
            ProvisioningCache cache,
            CsiController driver,
            SecretReader secrets,
            ProvisioningWrites writes,
            Announcements announcements) {
        this.client = client;
        this.cache = cache;
        this.driver = driver;
        this.secrets = secrets;
        this.writes = writes;
        this.announcements = announcements;
    }

    void reconcile(String name) {
        @Nullable
        PersistentVolume volume = client.persistentVolumes().withName(name).get();
        if (volume == null) {
            return;
        }
        switch (Reclaim.of(volume)) {
            case NOTHING -> {}
            case HOLD -> {
                List<String> more = new ArrayList<>(Reclaim.finalizers(volume));
                more.add(Marks.FINALIZER);
                writes.finalizers(volume, more);
            }
            case LET_GO -> letGo(volume);
            case DELETE -> delete(volume);
        }
    }

    private void letGo(PersistentVolume volume) {
        List<String> others = new ArrayList<>(Reclaim.finalizers(volume));
        if (others.remove(Marks.FINALIZER)) {
            writes.finalizers(volume, others);
        }
    }

    private void delete(PersistentVolume volume) {
        String name = volume.getMetadata().getName();
        try {
            // Without its keys it is not tried with others: they may be allowed to delete what they should not.
            Map<String, String> keys = Reclaim.deletionSecret(volume, parametersOfClass(volume))
                    .map(secrets::read)
                    .orElse(Map.of());
            writes.requireLeading();
            driver.delete(volume.getSpec().getCsi().getVolumeHandle(), keys);
        } catch (Unusable | DriverRefusal e) {
            // A controller that is told to stop breaks off what it does, and another goes on with it.
            if (!Thread.currentThread().isInterrupted()) {
                announcements.warn(volume, FAILED, "cannot delete the volume: " + e.getMessage());
            }
            throw new NotYet(String.valueOf(e.getMessage()));
        }
        if (volume.getMetadata().getDeletionTimestamp() == null) {
            writes.delete(volume);
        }
        Optional.ofNullable(client.persistentVolumes().withName(name).get())
                .filter(left ->
                        left.getMetadata().getUid().equals(volume.getMetadata().getUid()))
                .ifPresent(this::letGo);
        LOG.atInfo().addKeyValue("volume", name).log("deleted a volume that was released");
    }

    private Optional<Map<String, String>> parametersOfClass(PersistentVolume volume) {
        return cache.storageClass(Objects.requireNonNullElse(volume.getSpec().getStorageClassName(), ""))
                .map(StorageClass::getParameters);
    }
}
