package s3csi.testbed.provisioning;

import s3csi.csi.v1.CapacityRange;
import s3csi.csi.v1.CreateVolumeRequest;
import s3csi.csi.v1.DeleteVolumeRequest;
import s3csi.csi.v1.ValidateVolumeCapabilitiesRequest;
import s3csi.csi.v1.VolumeCapability;
import s3csi.csi.v1.VolumeCapability.AccessMode;
import s3csi.csi.v1.VolumeCapability.MountVolume;

/** Requests as the provisioner sidecar sends them. */
final class Requests {
    static final long GIB = 1L << 30;

    static final VolumeCapability READ_WRITE_MANY = VolumeCapability.newBuilder()
            .setMount(MountVolume.getDefaultInstance())
            .setAccessMode(AccessMode.newBuilder().setMode(AccessMode.Mode.MULTI_NODE_MULTI_WRITER))
            .build();

    private Requests() {}

    static CreateVolumeRequest.Builder create(String name) {
        return CreateVolumeRequest.newBuilder()
                .setName(name)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(GIB))
                .addVolumeCapabilities(READ_WRITE_MANY);
    }

    static DeleteVolumeRequest.Builder delete(String id) {
        return DeleteVolumeRequest.newBuilder().setVolumeId(id);
    }

    static ValidateVolumeCapabilitiesRequest.Builder validate(String id) {
        return ValidateVolumeCapabilitiesRequest.newBuilder().setVolumeId(id).addVolumeCapabilities(READ_WRITE_MANY);
    }
}
