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
import s3csi.driver.node.PublishReader.WithoutSecret;
import s3csi.driver.node.target.Target;
import s3csi.volume.mount.EnginePlace;

/** Requests as kubelet makes them. */
public final class PublishRequests {
    private static final Map<String, String> DRIVER =
            Map.of("AWS_ACCESS_KEY_ID", "DRIVER", "AWS_SECRET_ACCESS_KEY", "canary-of-the-driver");

    public static final String VOLUME = "volume-1";

    private PublishRequests() {}

    public static NodePublishVolumeRequest.Builder publish(Path target) {
        return NodePublishVolumeRequest.newBuilder()
                .setVolumeId(VOLUME)
                .setTargetPath(target.toString())
                .putVolumeContext("bucketName", "data")
                .setVolumeCapability(capability(Mode.MULTI_NODE_MULTI_WRITER));
    }

    /** What a volume comes to wherever its target is. */
    public static VolumeMount read(PublishReader reader, NodePublishVolumeRequest.Builder request) {
        return reader.read(request.build(), new Target(Path.of(request.getTargetPath()), Optional.empty()));
    }

    public static VolumeCapability capability(Mode mode, String... options) {
        return VolumeCapability.newBuilder()
                .setAccessMode(AccessMode.newBuilder().setMode(mode))
                .setMount(MountVolume.newBuilder().addAllMountFlags(java.util.List.of(options)))
                .build();
    }

    public static VolumeCapability ofGroup(String group) {
        return capability(Mode.MULTI_NODE_MULTI_WRITER).toBuilder()
                .setMount(MountVolume.newBuilder().setVolumeMountGroup(group))
                .build();
    }

    public static NodeUnpublishVolumeRequest unpublish(Path target) {
        return NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(VOLUME)
                .setTargetPath(target.toString())
                .build();
    }

    public static Map<String, String> secret(String id, String key) {
        return Map.of("access_key_id", id, "secret_access_key", key);
    }

    public static PublishReader reader() {
        return reader(DRIVER);
    }

    /** A reader that gives the driver's keys to volumes without a Secret. */
    public static PublishReader generousReader() {
        return new PublishReader(
                driverKeys(DRIVER), (_, _) -> WithoutSecret.DRIVER_KEYS, "3.0.0", new EnginePlace.Node(1024));
    }

    public static DriverKeys driverKeys() {
        return driverKeys(DRIVER);
    }

    private static DriverKeys driverKeys(Map<String, String> environment) {
        return new DriverKeys(Optional.empty(), environment);
    }

    public static PublishReader reader(Map<String, String> environment) {
        return new PublishReader(
                driverKeys(environment), (_, _) -> WithoutSecret.REFUSED, "3.0.0", new EnginePlace.Node(1024));
    }
}
