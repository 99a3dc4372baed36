package s3csi.driver.grpc;

import java.util.List;
import java.util.Optional;
import s3csi.csi.v1.VolumeCapability;
import s3csi.csi.v1.VolumeCapability.AccessMode.Mode;
import s3csi.volume.VolumeFailure;

/** How a volume may be used: as a mounted file system, in every access mode; never as a block device. */
public final class Capabilities {
    private Capabilities() {}

    public static void require(List<VolumeCapability> capabilities) {
        if (capabilities.isEmpty()) {
            throw VolumeFailure.invalid(
                    "volume_capabilities", "volume capabilities are required", "Say how the volume will be used");
        }
        for (VolumeCapability capability : capabilities) {
            requireComplete(capability);
            unsupported(capability).ifPresent(problem -> {
                throw VolumeFailure.invalid("volume_capabilities", problem, "Use volumeMode Filesystem");
            });
        }
    }

    /** What is wrong with a capability that is no use at all, whatever it asks for. */
    public static void requireComplete(VolumeCapability capability) {
        Mode mode = capability.getAccessMode().getMode();
        if (mode == Mode.UNKNOWN || mode == Mode.UNRECOGNIZED) {
            throw VolumeFailure.invalid(
                    "volume_capabilities", "access mode is required", "Name one of the access modes of CSI");
        }
        if (capability.getAccessTypeCase() == VolumeCapability.AccessTypeCase.ACCESSTYPE_NOT_SET) {
            throw VolumeFailure.invalid("volume_capabilities", "access type is required", "Ask for a mount");
        }
    }

    /** Why a complete capability cannot be had from this driver. */
    public static Optional<String> unsupported(VolumeCapability capability) {
        return capability.hasBlock() ? Optional.of("a bucket cannot be a block device") : Optional.empty();
    }
}
