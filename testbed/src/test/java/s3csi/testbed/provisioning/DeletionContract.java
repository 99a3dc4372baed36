package s3csi.testbed.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.model.S3Object;

/** A bucket is deleted only when it is ours and empty, on whichever store. */
abstract class DeletionContract extends ProvisioningStage {
    @Test
    void anEmptyBucketGoesWithItsVolume() {
        String bucket = create(Requests.create("pvc-gone")).getVolumeId();

        delete(bucket);

        assertThat(buckets()).doesNotContain(bucket);
    }

    @Test
    void deletingTwiceIsFine() {
        String bucket = create(Requests.create("pvc-gone-twice")).getVolumeId();

        delete(bucket);
        delete(bucket);

        assertThat(buckets()).doesNotContain(bucket);
    }

    @Test
    void aDeletedVolumeCanBeMadeAgain() {
        String bucket = create(Requests.create("pvc-again")).getVolumeId();
        delete(bucket);

        assertThat(create(Requests.create("pvc-again")).getVolumeId()).isEqualTo(bucket);
        assertThat(buckets()).contains(bucket);
    }

    @Test
    void aBucketWithDataIsKeptAndCounted() {
        String bucket = create(Requests.create("pvc-full")).getVolumeId();
        putObject(bucket, "precious");
        int kept = kept("not-empty");

        delete(bucket);

        assertThat(witness.listObjectsV2(r -> r.bucket(bucket)).contents())
                .extracting(S3Object::key)
                .containsExactly("precious");
        assertThat(kept("not-empty")).isEqualTo(kept + 1);
        assertThat(driver.log().lines().filter(line -> line.contains(bucket)))
                .anySatisfy(line -> assertThat(line).contains("\"level\":\"warning\"", "not empty"));
    }

    @Test
    void aBucketWithAnUnfinishedUploadIsGoneOrKeptWithIt() {
        String bucket = create(Requests.create("pvc-upload")).getVolumeId();
        witness.createMultipartUpload(r -> r.bucket(bucket).key("half"));
        int kept = kept("not-empty");

        delete(bucket);

        // Stores differ in whether that makes a bucket full.
        if (buckets().contains(bucket)) {
            assertThat(kept("not-empty")).isEqualTo(kept + 1);
            assertThat(witness.listMultipartUploads(r -> r.bucket(bucket)).uploads())
                    .hasSize(1);
        } else {
            assertThat(kept("not-empty")).isEqualTo(kept);
        }
    }

    @Test
    void aBucketThatWasNotMadeByTheDriverIsNeverTouched() {
        witness.createBucket(r -> r.bucket("static-bucket"));

        delete("static-bucket");
        delete("csi-s3-static");
        delete("any/handle/of-an-administrator");

        assertThat(buckets()).contains("static-bucket");
    }

    @Test
    void aBucketWhoseTagNamesAnotherOwnerIsKept() {
        String bucket = "csi-s3-" + UUID.randomUUID();
        witness.createBucket(r -> r.bucket(bucket));
        tag(bucket, "s3.csi.scality.com/owner", "another-driver");
        int kept = kept("of-another");

        delete(bucket);

        assertThat(buckets()).contains(bucket);
        assertThat(kept("of-another")).isEqualTo(kept + 1);
        assertThat(driver.log().lines().filter(line -> line.contains(bucket)))
                .anySatisfy(line -> assertThat(line).contains("\"level\":\"warning\"", "another owner"));
    }

    @Test
    void aBucketOfRelease2IsDeleted() {
        String bucket = "csi-s3-" + UUID.randomUUID();
        witness.createBucket(r -> r.bucket(bucket));

        delete(bucket);

        assertThat(buckets()).doesNotContain(bucket);
    }

    private int kept(String reason) {
        String metric = "s3csi_buckets_kept_total{reason=\"" + reason + "\"} ";
        return driver.metrics()
                .lines()
                .filter(line -> line.startsWith(metric))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(metric.length())))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no metric " + metric));
    }
}
