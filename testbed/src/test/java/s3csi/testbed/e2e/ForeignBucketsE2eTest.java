package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import org.junit.jupiter.api.Test;
import s3csi.volume.BucketNaming;
import s3csi.volume.VolumeName;

/** Buckets that are not the driver's own are neither taken for a claim nor deleted with one, whoever asks. */
class ForeignBucketsE2eTest extends AccountsStage {
    @Test
    void aClaimDoesNotGetABucketThatAnotherAccountHas() {
        PersistentVolumeClaim claim = claim(
                "data",
                storageClass(namespace, storageClass -> storageClass.withVolumeBindingMode("WaitForFirstConsumer")));
        String bucket = BucketNaming.bucketFor(
                        "", new VolumeName("pvc-" + claim.getMetadata().getUid()))
                .text();
        tenant.createBucket(request -> request.bucket(bucket));
        Pod pod = workload("app", "data");
        awaitWords("data", bucket, "another account");
        remainsUnbound(claim);
        assertThat(ownerOf(bucket)).isEqualTo("tenant");

        tenant.deleteBucket(request -> request.bucket(bucket));
        awaitRunning(pod);
        assertThat(bucketOf(boundVolume(claim))).isEqualTo(bucket);
        assertThat(ownerOf(bucket)).isEqualTo("driver");
    }

    /** Somebody who may write PersistentVolumes says that the driver made one of a bucket that exists. */
    @Test
    void aVolumeThatOnlyClaimsToBeTheDriversGoesWithoutItsBucket() {
        String bucket = namespace + "-empty";
        owner.createBucket(request -> request.bucket(bucket));
        PersistentVolume described = staticVolume(
                bucket,
                bucket,
                spec -> spec.withPersistentVolumeReclaimPolicy("Delete")
                        .editCsi()
                        .withVolumeAttributes(Map.of("bucketName", bucket, "dynamicProvisioning", "true"))
                        .endCsi());
        await(
                () -> "the claim is not bound",
                () -> "Bound"
                        .equals(client.resource(described).get().getStatus().getPhase()));
        client.persistentVolumes()
                .withName(bucket)
                .edit(volume -> new PersistentVolumeBuilder(volume)
                        .editMetadata()
                        .addToAnnotations("pv.kubernetes.io/provisioned-by", "s3.csi.scality.com")
                        .endMetadata()
                        .build());
        client.persistentVolumeClaims().inNamespace(namespace).withName(bucket).delete();
        await(
                () -> "the volume is not deleted: " + client.resource(described).get(),
                () -> client.resource(described).get() == null);
        assertThat(isBucketThere(bucket)).isTrue();
    }
}
