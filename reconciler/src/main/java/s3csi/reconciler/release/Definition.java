package s3csi.reconciler.release;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import s3csi.kubernetes.PodAttachmentDefinition;

/** The definition of attachments in a cluster. */
public record Definition(KubernetesClient client) {
    /** Whose fields the API server takes it for; they are ours even if Helm or a hand has written them before. */
    private static final String OWNER = "scality-csi-controller";

    /**
     * Makes it what this release wants, whether it is missing, older or has been edited, and waits until attachments can be written.
     *
     * @throws Refused if the API server does not get so far in time
     */
    public void apply(Duration patience) throws InterruptedException {
        CustomResourceDefinition _ = client.resource(PodAttachmentDefinition.desired())
                .fieldManager(OWNER)
                .forceConflicts()
                .serverSideApply();
        Patience waits = new Patience(patience);
        while (!isEstablished(found().get())) {
            waits.orRefuse(() -> "the API server took the definition " + PodAttachmentDefinition.NAME
                    + " and does not serve it after " + patience.toSeconds()
                    + " s; its conditions say why: kubectl describe customresourcedefinition "
                    + PodAttachmentDefinition.NAME);
        }
    }

    private static boolean isEstablished(CustomResourceDefinition found) {
        return found != null
                && found.getStatus() != null
                && found.getStatus().getConditions() != null
                && found.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Established")
                                && condition.getStatus().equals("True"));
    }

    /** Removes it, and with it every attachment. */
    public void delete(Duration patience) throws InterruptedException {
        found().delete();
        Patience waits = new Patience(patience);
        while (found().get() != null) {
            waits.orRefuse(() ->
                    "the definition " + PodAttachmentDefinition.NAME + " is still there after " + patience.toSeconds()
                            + " s; look for finalizers of its attachments: kubectl get s3pa --output yaml");
        }
    }

    private Resource<CustomResourceDefinition> found() {
        return client.apiextensions().v1().customResourceDefinitions().withName(PodAttachmentDefinition.NAME);
    }
}
