package s3csi.reconciler.model;

import java.time.Instant;
import s3csi.kubernetes.PodAttachment;
import s3csi.kubernetes.PodAttachmentSpec;

/**
 * An attachment as it was last seen.
 *
 * @param resourceVersion what a change must be based on; it fails where another came first
 */
public record KnownAttachment(
        String name, String uid, String resourceVersion, Instant created, PodAttachmentSpec spec) {
    public static KnownAttachment of(PodAttachment attachment) {
        return new KnownAttachment(
                attachment.getMetadata().getName(),
                attachment.getMetadata().getUid(),
                attachment.getMetadata().getResourceVersion(),
                Instant.parse(attachment.getMetadata().getCreationTimestamp()),
                attachment.getSpec());
    }
}
