package s3csi.driver.node;

import java.util.Map;
import java.util.Optional;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.csi.v1.VolumeCapability;
import s3csi.csi.v1.VolumeCapability.AccessMode.Mode;
import s3csi.driver.credentials.DriverKeys;
import s3csi.driver.grpc.Capabilities;
import s3csi.volume.AuthenticationSource;
import s3csi.volume.CredentialRules;
import s3csi.volume.Credentials;
import s3csi.volume.Region;
import s3csi.volume.VolumeAttributes;
import s3csi.volume.VolumeFailure;
import s3csi.volume.VolumeId;
import s3csi.volume.mount.MountGroup;
import s3csi.volume.mount.MountOptions;
import s3csi.volume.mount.MountPlan;
import s3csi.volume.mount.UserAgent;

/** Reads a publish request field by field. What is wrong with it is found here, before anything has happened. */
public final class PublishReader {
    private final DriverKeys driverKeys;
    private final String driverVersion;

    public PublishReader(DriverKeys driverKeys, String driverVersion) {
        this.driverKeys = driverKeys;
        this.driverVersion = driverVersion;
    }

    VolumeMount read(NodePublishVolumeRequest request) {
        VolumeId volume = new VolumeId(request.getVolumeId());
        VolumeAttributes attributes = VolumeAttributes.parse(request.getVolumeContextMap());
        boolean readers = isForReaders(capability(request));
        VolumeCapability.MountVolume asked = request.getVolumeCapability().getMount();
        Optional<MountGroup> group = MountGroup.parse(asked.getVolumeMountGroup());
        Map<String, String> secrets = request.getSecretsMap();
        AuthenticationSource source = attributes.keysOf(secrets);
        MountPlan plan = MountPlan.of(
                MountOptions.parse(asked.getMountFlagsList()),
                readers,
                group,
                region(attributes, source, secrets),
                new UserAgent(driverVersion, source, Optional.empty()));
        return new VolumeMount(
                volume,
                attributes,
                plan,
                group,
                source,
                plan.signed() ? Optional.of(keys(source, secrets)) : Optional.empty(),
                plan.readOnly() || request.getReadonly());
    }

    private static VolumeCapability capability(NodePublishVolumeRequest request) {
        if (!request.hasVolumeCapability()) {
            throw VolumeFailure.invalid(
                    "volume_capability", "Volume capability not provided", "Say how the volume will be used");
        }
        Capabilities.requireComplete(request.getVolumeCapability());
        Capabilities.unsupported(request.getVolumeCapability()).ifPresent(problem -> {
            throw VolumeFailure.invalid("volume_capability", problem, "Use volumeMode Filesystem");
        });
        return request.getVolumeCapability();
    }

    private static boolean isForReaders(VolumeCapability capability) {
        Mode mode = capability.getAccessMode().getMode();
        return mode == Mode.MULTI_NODE_READER_ONLY || mode == Mode.SINGLE_NODE_READER_ONLY;
    }

    /** The volume's region comes first, then that of the Secret whose keys are used; the engine knows the driver's anyway. */
    private static Optional<Region> region(
            VolumeAttributes attributes, AuthenticationSource source, Map<String, String> secrets) {
        return source == AuthenticationSource.SECRET
                ? attributes.region().or(() -> CredentialRules.region(secrets))
                : attributes.region();
    }

    private Credentials keys(AuthenticationSource source, Map<String, String> secrets) {
        return switch (source) {
            case DRIVER -> driverKeys.current();
            case SECRET -> CredentialRules.parse(secrets);
        };
    }
}
