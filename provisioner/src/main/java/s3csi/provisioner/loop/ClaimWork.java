package s3csi.provisioner.loop;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.control.Announcements;
import s3csi.control.NotYet;
import s3csi.provisioner.csi.CsiController;
import s3csi.provisioner.csi.DriverRefusal;
import s3csi.provisioner.loop.ProvisioningTask.OfClaim;
import s3csi.provisioner.model.ClaimDecision;
import s3csi.provisioner.model.MadeVolume;
import s3csi.provisioner.model.PersistentVolumes;
import s3csi.provisioner.model.Unusable;
import s3csi.provisioner.model.VolumePlan;

/**
 * Makes the volume of a claim.
 *
 * <p>When nobody knows whether the driver made a volume, it is asked again until that is known, also if the claim has gone meanwhile: a volume
 * without an object in the cluster would stay for ever. With its object it is deleted like any other that has lost its claim.
 */
final class ClaimWork {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimWork.class);

    /** The reasons that csi-provisioner gives in its Events. */
    private static final String BEGINS = "Provisioning";

    private static final String DONE = "ProvisioningSucceeded";
    private static final String FAILED = "ProvisioningFailed";

    private final KubernetesClient client;
    private final ProvisioningCache cache;
    private final CsiController driver;
    private final SecretReader secrets;
    private final ProvisioningWrites writes;
    private final Announcements announcements;
    private final String identity;

    /** What the driver was asked for and may have made, by the UIDs of claims. */
    private final Map<String, VolumePlan> inDoubt = new ConcurrentHashMap<>();

    ClaimWork(
            KubernetesClient client,
            ProvisioningCache cache,
            CsiController driver,
            SecretReader secrets,
            ProvisioningWrites writes,
            Announcements announcements,
            String identity) {
        this.client = client;
        this.cache = cache;
        this.driver = driver;
        this.secrets = secrets;
        this.writes = writes;
        this.announcements = announcements;
        this.identity = identity;
    }

    void reconcile(OfClaim task) {
        Optional<PersistentVolumeClaim> current = Optional.ofNullable(client.persistentVolumeClaims()
                        .inNamespace(task.namespace())
                        .withName(task.name())
                        .get())
                .filter(claim -> claim.getMetadata().getUid().equals(task.uid()));
        ClaimDecision decision = current.<ClaimDecision>map(
                        claim -> ClaimDecision.about(claim, cache.storageClass(ClaimDecision.classOf(claim))))
                .orElseGet(ClaimDecision.Nothing::new);
        @Nullable VolumePlan begun = inDoubt.get(task.uid());
        switch (decision) {
            case ClaimDecision.Provisioned(VolumePlan plan) -> provision(plan);
            case ClaimDecision.Nothing() when begun != null -> provision(begun);
            case ClaimDecision.Nothing() -> {}
            case ClaimDecision.LeftTo(String kind) ->
                current.ifPresent(claim -> announcements.tell(
                        claim, BEGINS, "the claim begins as a " + kind + ", and whoever knows those makes its volume"));
            case ClaimDecision.Refused(String message) -> throw failed(current.orElseThrow(), message);
        }
    }

    private void provision(VolumePlan plan) {
        String uid = plan.claim().getMetadata().getUid();
        if (client.persistentVolumes().withName(plan.name()).get() != null) {
            inDoubt.remove(uid);
            return;
        }
        try {
            Map<String, String> keys =
                    plan.provisionerSecret().map(secrets::read).orElse(Map.of());
            writes.requireLeading();
            announcements.tell(plan.claim(), BEGINS, "the driver is asked for the volume " + plan.name());
            inDoubt.put(uid, plan);
            MadeVolume made = driver.create(plan, keys);
            requireLargeEnough(plan, made, keys);
            write(plan, made);
            inDoubt.remove(uid);
            LOG.atInfo()
                    .addKeyValue("claim", Cache.metaNamespaceKeyFunc(plan.claim()))
                    .addKeyValue("volume", plan.name())
                    .addKeyValue("bucket", made.id())
                    .log("made a volume");
            announcements.tell(
                    plan.claim(), DONE, "made the volume " + plan.name() + ", which is the bucket " + made.id());
        } catch (Unusable e) {
            throw failed(plan.claim(), String.valueOf(e.getMessage()));
        } catch (DriverRefusal e) {
            if (e.isFinal()) {
                inDoubt.remove(uid);
            }
            throw failed(plan.claim(), String.valueOf(e.getMessage()));
        }
    }

    /** The volume is there by now; until it is written down, it is asked for again. */
    private void write(VolumePlan plan, MadeVolume made) {
        try {
            writes.create(PersistentVolumes.of(plan, made, identity));
        } catch (KubernetesClientException e) {
            throw failed(
                    plan.claim(),
                    "the API server did not take the PersistentVolume: "
                            + (e.getStatus() == null
                                    ? e.getMessage()
                                    : e.getStatus().getMessage()));
        }
    }

    /** Kubernetes would not bind it, and nobody else would ever ask for it. */
    private void requireLargeEnough(VolumePlan plan, MadeVolume made, Map<String, String> keys) {
        if (made.bytes() != 0 && made.bytes() < plan.requiredBytes()) {
            driver.delete(made.id(), keys);
            throw failed(
                    plan.claim(),
                    "the driver made a volume of " + made.bytes() + " bytes, and the claim asks for "
                            + plan.requiredBytes() + "; it was deleted again");
        }
    }

    private NotYet failed(PersistentVolumeClaim claim, String why) {
        // A controller that is told to stop breaks off what it does, and another goes on with it.
        if (!Thread.currentThread().isInterrupted()) {
            announcements.warn(
                    claim,
                    FAILED,
                    "cannot make a volume of the StorageClass " + ClaimDecision.classOf(claim) + ": " + why);
        }
        return new NotYet(why);
    }
}
