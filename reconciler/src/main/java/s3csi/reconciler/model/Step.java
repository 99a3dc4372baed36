package s3csi.reconciler.model;

import s3csi.kubernetes.PodAttachmentSpec;

/**
 * One write to the API. Steps are taken in their order, and none after one that failed: each leaves a state from which the next decision
 * goes on.
 */
public sealed interface Step {
    /** Makes a Mountpoint Pod for the workload. It is taken back if the attachment that names it cannot be written. */
    record CreatePod(String name) implements Step {}

    record CreateAttachment(PodAttachmentSpec spec) implements Step {}

    /** Only if the attachment is still as it was seen. */
    record UpdateAttachment(KnownAttachment seen, PodAttachmentSpec spec) implements Step {}

    /** Only if the attachment is still as it was seen. */
    record DeleteAttachment(KnownAttachment seen) implements Step {}

    /** Tells the node to unmount, after which the engine ends. A pod that is gone needs it no more. */
    record RequestUnmount(String pod) implements Step {}

    /** Tells the node whether the PersistentVolume names a Secret for its mounts. A pod that is gone needs it no more. */
    record NotePublishSecret(String pod, boolean isNamed) implements Step {}

    /** Removes what is left of a Mountpoint Pod that has ended. */
    record DeletePod(String pod) implements Step {}
}
