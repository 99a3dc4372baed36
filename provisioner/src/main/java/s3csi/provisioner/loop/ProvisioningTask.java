package s3csi.provisioner.loop;

import io.fabric8.kubernetes.api.model.HasMetadata;

/** What is brought into order by itself, and by one thread at a time. */
sealed interface ProvisioningTask {
    /** One of the same name that was made later is another. */
    record OfClaim(String namespace, String name, String uid) implements ProvisioningTask {
        static OfClaim of(HasMetadata claim) {
            return new OfClaim(
                    claim.getMetadata().getNamespace(),
                    claim.getMetadata().getName(),
                    claim.getMetadata().getUid());
        }
    }

    record OfVolume(String name) implements ProvisioningTask {}
}
