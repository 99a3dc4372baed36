package s3csi.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BucketNamingTest {
    @Test
    void theSameNameAlwaysGivesTheSameBucket() {
        // Written down because it must never change: a retry after an upgrade has to find the bucket it made before.
        assertThat(BucketNaming.bucketFor("", new VolumeName("pvc-6f1d2b8e-8f1e-4a57-9d0c-0a1b2c3d4e5f")))
                .hasToString("csi-s3-f09a87ce-a579-8c49-9164-fbd86f094e56");
    }

    @Test
    void differentNamesGiveDifferentBuckets() {
        assertThat(IntStream.range(0, 10_000)
                        .mapToObj(i -> BucketNaming.bucketFor("", new VolumeName("pvc-" + i)))
                        .distinct())
                .hasSize(10_000);
    }

    @Test
    void theLongestPrefixStillGivesABucketName() {
        String prefix = "a".repeat(BucketNaming.LONGEST_PREFIX);
        BucketName bucket = BucketNaming.bucketFor(prefix, new VolumeName("pvc-1"));
        assertThat(bucket.text()).hasSize(63).startsWith(prefix);
        assertThat(BucketNaming.bucketOf(new VolumeId(bucket.text()))).contains(bucket);
    }

    @Test
    void recognisesTheRandomIdsOfEarlierReleases() {
        String id = "csi-s3-" + UUID.randomUUID();
        assertThat(BucketNaming.bucketOf(new VolumeId(id))).contains(new BucketName(id));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "my-data",
                "csi-s3-",
                "csi-s3-123",
                "../csi-s3-3b241101-e2bb-4255-8caf-4136c566a962",
                "csi-s3-3b241101-e2bb-4255-8caf-4136c566a962/x",
                "csi-s3-3b241101-e2bb-4255-8caf-4136c566a962 ",
                "csi-s3-3B241101-E2BB-4255-8CAF-4136C566A962",
                "a-prefix-of-21-letters-csi-s3-3b241101-e2bb-4255-8caf-4136c566a962",
                "-csi-s3-3b241101-e2bb-4255-8caf-4136c566a962"
            })
    void takesNothingElseForItsOwn(String id) {
        assertThat(BucketNaming.bucketOf(new VolumeId(id))).isEmpty();
    }
}
