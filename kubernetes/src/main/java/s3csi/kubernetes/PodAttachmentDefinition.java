package s3csi.kubernetes;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** What the API server has to know about {@link PodAttachment}. */
public final class PodAttachmentDefinition {
    public static final String NAME = CustomResource.getCRDName(PodAttachment.class);

    /** By this field a node asks for its own attachments and Mountpoint Pods only. */
    public static final String NODE_FIELD = "spec.nodeName";

    private PodAttachmentDefinition() {}

    /** As this release wants it. */
    public static CustomResourceDefinition desired() {
        try (InputStream in = PodAttachmentDefinition.class.getResourceAsStream(NAME + ".yaml")) {
            if (in == null) {
                throw new IllegalStateException(NAME + ".yaml is missing from the jar; build it again");
            }
            return new KubernetesSerialization().unmarshal(in, CustomResourceDefinition.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Whether the API server that shows this definition can pick the attachments of one node. One before Kubernetes 1.31 drops the
     * selectable fields and refuses such a request; a node then watches all of them.
     */
    public static boolean selectsByNode(CustomResourceDefinition found) {
        return found.getSpec().getVersions().stream()
                .filter(version -> version.getName().equals(PodAttachment.VERSION))
                .flatMap(version -> version.getSelectableFields().stream())
                .anyMatch(field -> field.getJsonPath().equals("." + NODE_FIELD));
    }
}
