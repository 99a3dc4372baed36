package s3csi.testbed.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.testbed.csi.Refusals.refused;
import static s3csi.testbed.provisioning.Requests.GIB;

import io.grpc.Status.Code;
import java.util.Map;
import org.junit.jupiter.api.Test;
import s3csi.csi.v1.CapacityRange;
import s3csi.csi.v1.CreateVolumeRequest;
import s3csi.csi.v1.Volume;

/** Volumes become buckets, once each, on whichever store. */
abstract class ProvisioningContract extends ProvisioningStage {
    private static final String OURS = "csi-s3-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

    @Test
    void aVolumeIsABucketWithItsTagsAndAttributes() {
        Volume volume = create(Requests.create("pvc-exact"));

        String bucket = volume.getVolumeId();
        assertThat(bucket).matches(OURS);
        assertThat(volume)
                .isEqualTo(Volume.newBuilder()
                        .setVolumeId(bucket)
                        .setCapacityBytes(GIB)
                        .putAllVolumeContext(Map.of(
                                "dynamicProvisioning", "true",
                                "bucketName", bucket,
                                "authenticationSource", "driver"))
                        .build());
        assertThat(buckets()).contains(bucket);
        assertThat(tagsOf(bucket))
                .containsOnly(
                        Map.entry("s3.csi.scality.com/owner", "s3.csi.scality.com"),
                        Map.entry("s3.csi.scality.com/volume-name", "pvc-exact"),
                        Map.entry("s3.csi.scality.com/capacity-bytes", String.valueOf(GIB)));
    }

    @Test
    void theSameRequestTwiceHasEqualAnswersAndOneBucket() {
        Volume first = create(Requests.create("pvc-twice"));
        int buckets = buckets().size();

        assertThat(create(Requests.create("pvc-twice"))).isEqualTo(first);
        assertThat(buckets()).hasSize(buckets);
    }

    @Test
    void theSameRequestAfterDataWasWrittenStillFindsItsVolume() {
        Volume first = create(Requests.create("pvc-in-use"));
        putObject(first.getVolumeId(), "data");

        assertThat(create(Requests.create("pvc-in-use"))).isEqualTo(first);
    }

    @Test
    void anotherSizeForTheSameNameIsAnotherVolume() {
        CreateVolumeRequest.Builder larger = Requests.create("pvc-size")
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(2 * GIB));
        Volume volume = create(Requests.create("pvc-size"));

        assertThat(refused(Code.ALREADY_EXISTS, () -> create(larger)))
                .contains(volume.getVolumeId())
                .contains(String.valueOf(GIB));
        assertThat(tagsOf(volume.getVolumeId()))
                .containsEntry("s3.csi.scality.com/capacity-bytes", String.valueOf(GIB));
    }

    @Test
    void aSizeThatAdmitsTheVolumeFindsIt() {
        Volume volume = create(Requests.create("pvc-limits"));

        CreateVolumeRequest.Builder within = Requests.create("pvc-limits")
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(1).setLimitBytes(2 * GIB));
        assertThat(create(within)).isEqualTo(volume);
    }

    @Test
    void withoutASizeItIsOneGibibyte() {
        assertThat(create(Requests.create("pvc-no-size").clearCapacityRange()).getCapacityBytes())
                .isEqualTo(GIB);
    }

    @Test
    void thePrefixOfTheStorageClassBeginsTheBucketName() {
        Volume plain = create(Requests.create("pvc-prefix"));
        Volume prefixed = create(Requests.create("pvc-prefix").putParameters("bucketNamePrefix", "team-a-"));

        assertThat(prefixed.getVolumeId()).isEqualTo("team-a-" + plain.getVolumeId());
        assertThat(buckets()).contains(plain.getVolumeId(), prefixed.getVolumeId());
        delete(prefixed.getVolumeId());
        assertThat(buckets()).contains(plain.getVolumeId()).doesNotContain(prefixed.getVolumeId());
    }

    @Test
    void theRegionOfTheStorageClassIsWrittenDownAndKept() {
        CreateVolumeRequest.Builder request = Requests.create("pvc-region").putParameters("region", server.region());
        Volume volume = create(request);

        assertThat(volume.getVolumeContextMap()).containsEntry("region", server.region());
        assertThat(tagsOf(volume.getVolumeId())).containsEntry("s3.csi.scality.com/region", server.region());
        assertThat(create(request)).isEqualTo(volume);
        assertThat(refused(Code.ALREADY_EXISTS, () -> create(Requests.create("pvc-region"))))
                .contains(server.region());
    }

    @Test
    void aWrongRegionOfTheDriverDoesNoHarm() {
        try (var elsewhere = startDriver(Map.of("AWS_REGION", "ap-south-7"))) {
            var controller = elsewhere.channel().controller();
            CreateVolumeRequest request = Requests.create("pvc-driver-region").build();
            String bucket = controller.createVolume(request).getVolume().getVolumeId();

            assertThat(buckets()).contains(bucket);
            assertThat(tagsOf(bucket)).doesNotContainKey("s3.csi.scality.com/region");
            controller.deleteVolume(Requests.delete(bucket).build());
            assertThat(buckets()).doesNotContain(bucket);
        }
    }

    @Test
    void aBucketLeftUntaggedByABrokenTryIsTakenOver() {
        Volume volume = create(Requests.create("pvc-untagged"));
        Map<String, String> tags = tagsOf(volume.getVolumeId());
        witness.deleteBucketTagging(r -> r.bucket(volume.getVolumeId()));

        assertThat(create(Requests.create("pvc-untagged"))).isEqualTo(volume);
        assertThat(tagsOf(volume.getVolumeId())).isEqualTo(tags);
    }

    @Test
    void anUntaggedBucketThatHoldsDataIsSomebodyElses() {
        Volume volume = create(Requests.create("pvc-foreign-data"));
        witness.deleteBucketTagging(r -> r.bucket(volume.getVolumeId()));
        putObject(volume.getVolumeId(), "theirs");

        assertThat(refused(Code.ALREADY_EXISTS, () -> create(Requests.create("pvc-foreign-data"))))
                .contains(volume.getVolumeId())
                .contains("holds objects");
        assertThat(tagsOf(volume.getVolumeId())).isEmpty();
    }

    @Test
    void aBucketWhoseTagNamesAnotherOwnerIsNotTakenOver() {
        Volume volume = create(Requests.create("pvc-foreign-tag"));
        tag(volume.getVolumeId(), "s3.csi.scality.com/owner", "another-driver");

        assertThat(refused(Code.ALREADY_EXISTS, () -> create(Requests.create("pvc-foreign-tag"))))
                .contains("another owner");
        assertThat(tagsOf(volume.getVolumeId())).containsOnly(Map.entry("s3.csi.scality.com/owner", "another-driver"));
    }

    @Test
    void capabilitiesOfAProvisionedVolumeAreConfirmed() {
        Volume volume = create(Requests.create("pvc-validate"));
        var request = Requests.validate(volume.getVolumeId())
                .putAllVolumeContext(volume.getVolumeContextMap())
                .build();

        var confirmed = controller().validateVolumeCapabilities(request).getConfirmed();
        assertThat(confirmed.getVolumeCapabilitiesList()).containsExactly(Requests.READ_WRITE_MANY);
        assertThat(confirmed.getVolumeContextMap()).isEqualTo(volume.getVolumeContextMap());
    }

    @Test
    void capabilitiesOfAStaticVolumeAreThoseOfItsBucket() {
        witness.createBucket(r -> r.bucket("made-by-hand"));
        var request = Requests.validate("any/handle").putVolumeContext("bucketName", "made-by-hand");

        assertThat(controller().validateVolumeCapabilities(request.build()).hasConfirmed())
                .isTrue();
    }

    @Test
    void capabilitiesOfAMissingBucketAreNotFound() {
        var request = Requests.validate("any/handle").putVolumeContext("bucketName", "never-made");

        assertThat(refused(Code.NOT_FOUND, () -> controller().validateVolumeCapabilities(request.build())))
                .contains("never-made");
    }
}
