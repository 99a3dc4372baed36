package s3csi.driver.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import s3csi.csi.v1.CapacityRange;
import s3csi.csi.v1.CreateVolumeRequest;
import s3csi.csi.v1.DeleteVolumeRequest;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.csi.v1.ValidateVolumeCapabilitiesRequest;
import s3csi.csi.v1.VolumeCapability;
import s3csi.csi.v1.VolumeCapability.AccessMode;
import s3csi.csi.v1.VolumeCapability.MountVolume;

class RequestTextTest {
    private static final String CANARY = "canary-5e3a1";

    @Test
    void showsWhatHelpsAndHidesTheRest() {
        CreateVolumeRequest request = CreateVolumeRequest.newBuilder()
                .setName("pvc-1")
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(5))
                .addVolumeCapabilities(VolumeCapability.newBuilder()
                        .setMount(VolumeCapability.MountVolume.newBuilder().addMountFlags("--x=" + CANARY))
                        .setAccessMode(AccessMode.newBuilder().setMode(AccessMode.Mode.MULTI_NODE_MULTI_WRITER)))
                .putParameters("bucketNamePrefix", "team-")
                .putParameters("password", CANARY)
                .putSecrets("secret_access_key", CANARY)
                .putModifiableParameters("x", CANARY)
                .build();
        assertThat(RequestText.of(request))
                .contains("name: \"pvc-1\"", "required_bytes: 5", "MULTI_NODE_MULTI_WRITER")
                .contains("\"bucketNamePrefix\"=\"team-\"", "\"password\"=<hidden>", "secrets: <hidden>")
                .doesNotContain(CANARY);
    }

    @Test
    void noOtherRequestShowsASecretEither() {
        assertThat(RequestText.of(DeleteVolumeRequest.newBuilder()
                        .setVolumeId("v")
                        .putSecrets("k", CANARY)
                        .build()))
                .doesNotContain(CANARY);
        assertThat(RequestText.of(ValidateVolumeCapabilitiesRequest.newBuilder()
                        .setVolumeId("v")
                        .putSecrets("k", CANARY)
                        .putVolumeContext("token", CANARY)
                        .build()))
                .doesNotContain(CANARY);
        assertThat(RequestText.of(NodePublishVolumeRequest.newBuilder()
                        .setVolumeId("v")
                        .setVolumeCapability(VolumeCapability.newBuilder()
                                .setMount(MountVolume.newBuilder().addMountFlags("sse-key " + CANARY)))
                        .putSecrets("k", CANARY)
                        .putVolumeContext("csi.storage.k8s.io/serviceAccount.tokens", CANARY)
                        .putPublishContext("k", CANARY)
                        .build()))
                .doesNotContain(CANARY);
    }

    @Test
    void staysShortAndOnOneLine() {
        String text = RequestText.of(DeleteVolumeRequest.newBuilder()
                .setVolumeId("a\nb" + "x".repeat(100_000))
                .build());
        assertThat(text).hasSizeLessThan(2100).doesNotContain("\n");
    }
}
