package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;

/** When buckets are made and what becomes of them, which keys step in where a class names only some, and many claims at once. */
class AdvancedPatternsE2eTest extends AccountsStage {
    @Test
    void aClassThatWaitsMakesABucketOnlyForAPod() {
        PersistentVolumeClaim claim = claim(
                "data",
                storageClass(namespace, storageClass -> storageClass.withVolumeBindingMode("WaitForFirstConsumer")));
        remainsUnbound(claim);
        Pod pod = runningWorkload("app", "data");
        assertThat(shell(pod, "echo here >/data/note && cat /data/note && rm /data/note"))
                .isEqualTo("here");
        String bucket = bucketOf(boundVolume(claim));
        finish(pod);
        deleteWithVolume(claim);
        assertThat(isBucketThere(bucket)).isFalse();
    }

    @Test
    void aBucketIsDeletedOnlyIfItsClassSaysSoAndNothingIsInIt() {
        PersistentVolumeClaim full = claim("full", storageClass());
        PersistentVolumeClaim retained = claim(
                "retained",
                storageClass(namespace + "-retain", storageClass -> storageClass.withReclaimPolicy("Retain")));
        PersistentVolume ofFull = boundVolume(full);
        PersistentVolume ofRetained = boundVolume(retained);
        owner.putObject(request -> request.bucket(bucketOf(ofFull)).key("note"), RequestBody.fromString("precious"));
        deleteWithVolume(full);
        assertThat(stored(bucketOf(ofFull), "note")).isEqualTo("precious");

        client.resource(retained).delete();
        await(
                () -> "the volume is not released",
                () -> "Released"
                        .equals(client.resource(ofRetained).get().getStatus().getPhase()));
        remains("the volume was deleted", () -> client.resource(ofRetained).get() != null);
        assertThat(isBucketThere(bucketOf(ofRetained))).isTrue();
    }

    @Test
    void theDriversKeysStepInWhereAClassNamesNoSecret() {
        secret("keys", cluster.driver());
        Map<String, String> made = madeWith(namespace, "keys");
        Map<String, String> mounted = mountedWith(namespace, "keys");
        List<PersistentVolumeClaim> claims = List.of(
                claim("none", classWith("none")),
                claim("made", classWith("made", made)),
                claim("mounted", classWith("mounted", mounted)),
                claim("both", classWith("both", made, mounted)));
        Pod pod = runningWorkload("app", List.of("none", "made", "mounted", "both"), spec -> spec);
        shell(pod, "for at in /data /data2 /data3 /data4; do echo x >$at/note && rm $at/note; done");
        assertThat(claims)
                .map(claim -> attribute(boundVolume(claim), "authenticationSource"))
                .containsExactly("driver", "secret", "driver", "secret");
    }

    @Test
    void manyClaimsAtOnceAllGetBucketsOfTheirOwn() {
        List<String> classes = new ArrayList<>(List.of(storageClass()));
        for (String name : List.of("first", "second", "third")) {
            secret(name, cluster.tenant());
            classes.add(classWith(name, madeWith(namespace, name), mountedWith(namespace, name)));
        }
        List<PersistentVolumeClaim> claims = IntStream.range(0, 20)
                .parallel()
                .mapToObj(number -> claim("claim-" + number, classes.get(number % classes.size())))
                .toList();
        List<String> buckets =
                claims.stream().map(claim -> bucketOf(boundVolume(claim))).toList();
        assertThat(buckets).doesNotHaveDuplicates().allMatch(this::isBucketThere);
        assertThat(buckets.stream().map(this::ownerOf).filter("tenant"::equals)).hasSize(15);
    }
}
