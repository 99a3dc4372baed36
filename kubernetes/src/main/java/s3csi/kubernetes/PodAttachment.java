package s3csi.kubernetes;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import s3csi.volume.Driver;

/** The object by which the reconciler tells a node which Mountpoint Pod serves which workload. It belongs to no namespace. */
@Group(Driver.NAME)
@Version(PodAttachment.VERSION)
@Kind("MountpointS3PodAttachment")
@Plural("mountpoints3podattachments")
@Singular("mountpoints3podattachment")
@ShortNames("s3pa")
public final class PodAttachment extends CustomResource<PodAttachmentSpec, Void> {
    static final String VERSION = "v2";

    /** The API server ends the name. */
    private static final String NAME_PREFIX = "s3pa-";

    /** One that is still to be created, made by the given release. */
    public static PodAttachment of(PodAttachmentSpec spec, String driverVersion) {
        PodAttachment attachment = new PodAttachment();
        attachment.setMetadata(new ObjectMetaBuilder()
                .withGenerateName(NAME_PREFIX)
                .addToLabels(Labels.DRIVER_VERSION, driverVersion)
                .build());
        attachment.setSpec(spec);
        return attachment;
    }

    /** So that one without {@code spec} is like one that serves nobody. */
    @Override
    protected PodAttachmentSpec initSpec() {
        return PodAttachmentSpec.EMPTY;
    }
}
