package s3csi.driver.node;

import java.util.Map;
import java.util.Optional;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.csi.v1.VolumeCapability;
import s3csi.csi.v1.VolumeCapability.AccessMode.Mode;
import s3csi.driver.credentials.DriverKeys;
import s3csi.driver.grpc.Capabilities;
import s3csi.driver.node.target.Target;
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
    private final SecretRule withoutSecret;
    private final String driverVersion;
    private final EnginePlace place;

    /** What becomes of a volume with {@code authenticationSource: secret} whose request brings no Secret. */
    public enum WithoutSecret {
        /** A volume without a Secret cannot be told from one whose Secret was emptied. */
        REFUSED,
        /** The volume names none, or the administrator says that the driver's keys are for all volumes. */
        DRIVER_KEYS
    }

    /** Decides that for a volume at a target. */
    @FunctionalInterface
    public interface SecretRule {
        WithoutSecret of(Target target, VolumeId volume);
    }

    public PublishReader(DriverKeys driverKeys, SecretRule withoutSecret, String driverVersion, EnginePlace place) {
        this.driverKeys = driverKeys;
        this.withoutSecret = withoutSecret;
        this.driverVersion = driverVersion;
        this.place = place;
    }

    public VolumeMount read(NodePublishVolumeRequest request, Target target) {
        VolumeId volume = new VolumeId(request.getVolumeId());
        VolumeAttributes attributes = VolumeAttributes.parse(request.getVolumeContextMap());
        boolean readers = isForReaders(capability(request));
        VolumeCapability.MountVolume asked = request.getVolumeCapability().getMount();
        Optional<MountGroup> group = MountGroup.parse(asked.getVolumeMountGroup());
        Map<String, String> secrets = request.getSecretsMap();
        AuthenticationSource source = source(attributes, secrets, target, volume);
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

    private AuthenticationSource source(
            VolumeAttributes attributes, Map<String, String> secrets, Target target, VolumeId volume) {
        AuthenticationSource wanted = attributes.keysOf(secrets);
        boolean isWithout = wanted == AuthenticationSource.SECRET && secrets.isEmpty();
        return isWithout && withoutSecret.of(target, volume) == WithoutSecret.DRIVER_KEYS
                ? AuthenticationSource.DRIVER
                : wanted;
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
                    "Fill the Secret that nodePublishSecretRef of the PersistentVolume names. Without Mountpoint Pods, which tell"
                            + " whether it names one, --driver-keys-without-secret has volumes mounted with the driver's own keys");
        }
    }
}
