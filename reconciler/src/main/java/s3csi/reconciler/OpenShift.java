package s3csi.reconciler;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A cluster that chooses the users and groups of pods itself, and refuses those that name their own. */
final class OpenShift {
    private static final Logger LOG = LoggerFactory.getLogger(OpenShift.class);

    private static final String GROUP = "config.openshift.io";

    private OpenShift() {}

    /** Whether the cluster is one; if it cannot be asked, it is taken for one of the usual kind. */
    static boolean is(KubernetesClient client) {
        try {
            return client.getApiGroup(GROUP) != null;
        } catch (KubernetesClientException e) {
            LOG.warn("cannot find out whether this is OpenShift, so it is taken for a cluster of the usual kind", e);
            return false;
        }
    }
}
