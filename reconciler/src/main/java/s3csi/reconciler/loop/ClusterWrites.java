package s3csi.reconciler.loop;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;
import s3csi.kubernetes.PodAttachment;

/**
 * All that the reconciler ever writes. Every change of something that is there already takes place only if it is still what the caller saw;
 * otherwise it fails with a conflict.
 */
public interface ClusterWrites {
    Pod create(Pod mountpointPod);

    PodAttachment create(PodAttachment attachment);

    /**
     * Writes an attachment anew.
     *
     * @param changed with the version that it is based on
     */
    PodAttachment update(PodAttachment changed);

    /** One that is gone is no failure. */
    void delete(PodAttachment seen);

    /** Sets an annotation, whatever else has changed since. Empty if the pod is gone. */
    Optional<Pod> annotate(Pod seen, String key, String value);

    /** One that is gone is no failure. */
    void delete(Pod seen);

    /** Writes an Event, or counts it up where it is there already under its name. */
    void announce(Event event);
}
