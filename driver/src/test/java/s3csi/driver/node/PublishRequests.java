package s3csi.driver.node;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.csi.v1.NodeUnpublishVolumeRequest;
import s3csi.csi.v1.VolumeCapability;
import s3csi.csi.v1.VolumeCapability.AccessMode;
import s3csi.csi.v1.VolumeCapability.AccessMode.Mode;
import s3csi.csi.v1.VolumeCapability.MountVolume;
import s3csi.driver.credentials.DriverKeys;

/** Requests as kubelet makes them. */
final class PublishRequests {
    static final String VOLUME = "volume-1";

    private PublishRequests() {}

    static NodePublishVolumeRequest.Builder publish(Path target) {
        return NodePublishVolumeRequest.newBuilder()
                .setVolumeId(VOLUME)
                .setTargetPath(target.toString())
                .putVolumeContext("bucketName", "data")
                .setVolumeCapability(capability(Mode.MULTI_NODE_MULTI_WRITER));
    }

    static VolumeCapability capability(Mode mode, String... options) {
        return VolumeCapability.newBuilder()
                .setAccessMode(AccessMode.newBuilder().setMode(mode))
                .setMount(MountVolume.newBuilder().addAllMountFlags(java.util.List.of(options)))
                .build();
    }

    static VolumeCapability ofGroup(String group) {
        return capability(Mode.MULTI_NODE_MULTI_WRITER).toBuilder()
                .setMount(MountVolume.newBuilder().setVolumeMountGroup(group))
                .build();
    }

    static NodeUnpublishVolumeRequest unpublish(Path target) {
        return NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(VOLUME)
                .setTargetPath(target.toString())
                .build();
    }

    static Map<String, String> secret(String id, String key) {
        return Map.of("access_key_id", id, "secret_access_key", key);
    }

    static PublishReader reader() {
        return reader(Map.of("AWS_ACCESS_KEY_ID", "DRIVER", "AWS_SECRET_ACCESS_KEY", "canary-of-the-driver"));
    }

    static PublishReader reader(Map<String, String> environment) {
        return new PublishReader(new DriverKeys(Optional.empty(), environment), "3.0.0");
    }
}
