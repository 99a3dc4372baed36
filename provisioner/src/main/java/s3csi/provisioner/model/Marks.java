package s3csi.provisioner.model;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What Kubernetes and its provisioners write on claims and volumes to tell each other what to do. */
public final class Marks {
    /** On a claim: who is to provision it. Kubernetes sets both. */
    public static final String PROVISIONER = "volume.kubernetes.io/storage-provisioner";

    public static final String PROVISIONER_OF_BETA = "volume.beta.kubernetes.io/storage-provisioner";

    /** On a claim: the node of its first pod. */
    public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    /** On a claim: its class, in the way of early releases of Kubernetes, which still counts before the field. */
    public static final String CLASS_OF_BETA = "volume.beta.kubernetes.io/storage-class";

    /** On a volume: who made it, and so who deletes it. */
    public static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

    /** On a volume: the Secret to delete it with; both empty if there is none. */
    public static final String DELETION_SECRET_NAME = "volume.kubernetes.io/provisioner-deletion-secret-name";

    public static final String DELETION_SECRET_NAMESPACE = "volume.kubernetes.io/provisioner-deletion-secret-namespace";

    /** On a volume: it must not go before what it stands for is deleted. */
    public static final String FINALIZER = "external-provisioner.volume.kubernetes.io/finalizer";

    /** Attribute of a volume: which run of which provisioner made it. */
    public static final String IDENTITY = "storage.kubernetes.io/csiProvisionerIdentity";

    private Marks() {}

    /** The annotation, if it is there; it may be empty. */
    public static Optional<String> on(HasMetadata object, String annotation) {
        return Optional.ofNullable(
                Objects.requireNonNullElse(object.getMetadata().getAnnotations(), Map.<String, String>of())
                        .get(annotation));
    }
}
