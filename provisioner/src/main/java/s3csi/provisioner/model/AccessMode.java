package s3csi.provisioner.model;

import java.util.Map;
import java.util.Optional;
import s3csi.volume.Printable;

/** How a volume may be used, in the words of CSI for what Kubernetes says. A driver that cannot tell pods of a node apart knows no other. */
public enum AccessMode {
    SINGLE_NODE_WRITER,
    MULTI_NODE_READER_ONLY,
    MULTI_NODE_MULTI_WRITER;

    private static final Map<String, AccessMode> OF_KUBERNETES = Map.of(
            "ReadWriteOnce", SINGLE_NODE_WRITER,
            "ReadOnlyMany", MULTI_NODE_READER_ONLY,
            "ReadWriteMany", MULTI_NODE_MULTI_WRITER,
            "ReadWriteOncePod", SINGLE_NODE_WRITER);

    static AccessMode of(String kubernetes) {
        return Optional.ofNullable(OF_KUBERNETES.get(kubernetes))
                .orElseThrow(() -> new Unusable("the claim asks for the access mode " + Printable.quoted(kubernetes)
                        + ", which is none that this driver knows. Use ReadWriteMany"));
    }
}
