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
import s3csi.volume.Region;
import s3csi.volume.StoreKeys;
import s3csi.volume.VolumeAttributes;
import s3csi.volume.VolumeFailure;
import s3csi.volume.VolumeId;
import s3csi.volume.mount.EnginePlace;
import s3csi.volume.mount.MountGroup;
import s3csi.volume.mount.MountOptions;
import s3csi.volume.mount.MountPlan;
import s3csi.volume.mount.UserAgentPrefix;

/** Reads a publish request field by field. What is wrong with it is found here, before anything has happened. */
public final class PublishReader {
    private final DriverKeys driverKeys;
    private final WithoutSecret withoutSecret;
    private final String driverVersion;
    private final EnginePlace place;

    /** What becomes of a volume with {@code authenticationSource: secret} whose request brings no Secret. */
    public enum WithoutSecret {
        /** Nobody here can tell a volume without a Secret from one whose Secret was emptied. */
        REFUSED,
        /** The administrator says that the driver's keys are for all volumes. */
        DRIVER_KEYS
    }

    public PublishReader(DriverKeys driverKeys, WithoutSecret withoutSecret, String driverVersion, EnginePlace place) {
        this.driverKeys = driverKeys;
        this.withoutSecret = withoutSecret;
        this.driverVersion = driverVersion;
        this.place = place;
    }

    public VolumeMount read(NodePublishVolumeRequest request) {
        VolumeId volume = new VolumeId(request.getVolumeId());
        VolumeAttributes attributes = VolumeAttributes.parse(request.getVolumeContextMap());
        boolean readers = isForReaders(capability(request));
        VolumeCapability.MountVolume asked = request.getVolumeCapability().getMount();
        Optional<MountGroup> group = MountGroup.parse(asked.getVolumeMountGroup());
        Map<String, String> secrets = request.getSecretsMap();
        AuthenticationSource source = source(attributes, secrets);
        MountPlan plan = MountPlan.of(
                MountOptions.parse(asked.getMountFlagsList()),
                readers,
                group,
                region(attributes, source, secrets),
                new UserAgentPrefix(driverVersion, source, Optional.empty()),
                place);
        return new VolumeMount(
                volume,
                attributes,
                plan,
                group,
                source,
                plan.signed() ? Optional.of(keys(source, secrets)) : Optional.empty(),
                plan.readOnly() || request.getReadonly());
    }

    private AuthenticationSource source(VolumeAttributes attributes, Map<String, String> secrets) {
        return secrets.isEmpty() && withoutSecret == WithoutSecret.DRIVER_KEYS
                ? AuthenticationSource.DRIVER
                : attributes.keysOf(secrets);
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

    private StoreKeys keys(AuthenticationSource source, Map<String, String> secrets) {
        return switch (source) {
            case DRIVER -> driverKeys.current();
            case SECRET -> {
                requireSecret(secrets);
                yield CredentialRules.parse(secrets);
            }
        };
    }

    private static void requireSecret(Map<String, String> secrets) {
        if (secrets.isEmpty()) {
            throw VolumeFailure.invalid(
                    "secrets",
                    "authenticationSource is secret, and the request brings no keys",
                    "Fill the Secret that nodePublishSecretRef of the PersistentVolume names; to mount volumes without one"
                            + " with the driver's own keys, start the driver with --driver-keys-without-secret");
        }
    }
}
