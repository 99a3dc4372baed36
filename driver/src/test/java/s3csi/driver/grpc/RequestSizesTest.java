package s3csi.driver.grpc;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import s3csi.csi.v1.CreateVolumeRequest;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.csi.v1.NodeUnpublishVolumeRequest;
import s3csi.csi.v1.ValidateVolumeCapabilitiesRequest;
import s3csi.csi.v1.VolumeCapability;
import s3csi.csi.v1.VolumeCapability.MountVolume;
import s3csi.registration.v1.RegistrationStatus;
import s3csi.volume.VolumeFailure;

class RequestSizesTest {
    private static final int KIB = 1 << 10;

    private static String text(int size) {
        return "x".repeat(size);
    }

    private static void assertAdmitted(Message request) {
        assertThatCode(() -> RequestSizes.check(request.getDescriptorForType(), request.toByteArray()))
                .doesNotThrowAnyException();
    }

    private static void assertRefused(Message request, String words) {
        assertThatThrownBy(() -> RequestSizes.check(request.getDescriptorForType(), request.toByteArray()))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining(words);
    }

    private static VolumeCapability withOptions(String... options) {
        return VolumeCapability.newBuilder()
                .setMount(MountVolume.newBuilder().addAllMountFlags(java.util.List.of(options)))
                .build();
    }

    @Test
    void aStringHas128Bytes() {
        assertAdmitted(CreateVolumeRequest.newBuilder().setName(text(128)).build());
        assertRefused(
                CreateVolumeRequest.newBuilder().setName("ä".repeat(65)).build(),
                "Invalid name: it has more than 128 bytes");
    }

    @Test
    void whyKubeletDoesNotTakeADriverMayBeALongStory() {
        assertAdmitted(RegistrationStatus.newBuilder().setError(text(16 * KIB)).build());
        assertRefused(
                RegistrationStatus.newBuilder().setError(text(16 * KIB + 1)).build(), "Invalid error");
    }

    @Test
    void aMapHasFourKibibytesInAll() {
        assertAdmitted(NodePublishVolumeRequest.newBuilder()
                .putVolumeContext("a", text(2 * KIB - 1))
                .putVolumeContext("b", text(2 * KIB - 1))
                .build());
        assertRefused(
                NodePublishVolumeRequest.newBuilder()
                        .putVolumeContext("a", text(2 * KIB))
                        .putVolumeContext("b", text(2 * KIB))
                        .build(),
                "Invalid volume_context: it has more than 4096 bytes");
    }

    @Test
    void theMountOptionsOfACapabilityHaveFourKibibytesInAll() {
        VolumeCapability large = withOptions(text(2 * KIB), text(2 * KIB));
        assertAdmitted(
                NodePublishVolumeRequest.newBuilder().setVolumeCapability(large).build());
        assertAdmitted(ValidateVolumeCapabilitiesRequest.newBuilder()
                .addVolumeCapabilities(large)
                .addVolumeCapabilities(large)
                .build());
        assertRefused(
                NodePublishVolumeRequest.newBuilder()
                        .setVolumeCapability(withOptions(text(2 * KIB), text(2 * KIB), "x"))
                        .build(),
                "Invalid volume_capability.mount.mount_flags: it has more than 4096 bytes");
    }

    @Test
    void pathsMayBeAsLongAsTheSystemAllowsAndHandlesAsLongAsTheyWere() {
        assertAdmitted(NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(text(KIB))
                .setTargetPath(text(4 * KIB))
                .build());
        assertRefused(
                NodeUnpublishVolumeRequest.newBuilder()
                        .setTargetPath(text(4 * KIB + 1))
                        .build(),
                "Invalid target_path");
        assertRefused(
                NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(text(KIB + 1))
                        .build(),
                "Invalid volume_id");
    }

    @Test
    void aSecretMayHoldWhatElseItsOwnerKeepsInIt() {
        assertAdmitted(NodePublishVolumeRequest.newBuilder()
                .putSecrets("certificates", text(60 * KIB))
                .build());
        assertRefused(
                NodePublishVolumeRequest.newBuilder()
                        .putSecrets("certificates", text(64 * KIB))
                        .build(),
                "Invalid secrets");
    }

    @Test
    void manySmallEntriesAreRefusedAsWell() {
        NodePublishVolumeRequest.Builder request = NodePublishVolumeRequest.newBuilder();
        IntStream.range(0, 257).forEach(n -> request.putSecrets("k" + n, ""));
        assertRefused(request.build(), "Invalid secrets: it has more than 256 entries");

        CreateVolumeRequest.Builder capabilities = CreateVolumeRequest.newBuilder();
        IntStream.range(0, 257).forEach(_ -> capabilities.addVolumeCapabilities(VolumeCapability.getDefaultInstance()));
        assertRefused(capabilities.build(), "Invalid volume_capabilities: it has more than 256 entries");
    }

    @Test
    void fieldsOfNoMeaningCount() {
        UnknownFieldSet unknown = UnknownFieldSet.newBuilder()
                .addField(
                        900,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(ByteString.copyFromUtf8(text(40 * KIB)))
                                .build())
                .build();
        assertRefused(
                CreateVolumeRequest.newBuilder().setUnknownFields(unknown).build(),
                "Invalid request: it has more than 32768 bytes");
    }

    @Test
    void bytesThatAreNoMessageAreRefused() {
        assertThatThrownBy(() -> RequestSizes.check(CreateVolumeRequest.getDescriptor(), new byte[] {0x0a, 0x7f, 1}))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("no message of CSI");
    }
}
