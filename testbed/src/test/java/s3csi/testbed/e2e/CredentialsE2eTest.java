package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import s3csi.s3.credentials.Credentials;

/** Whose keys make, mount and delete a bucket: the driver's, or those of Secrets; never one instead of the other. */
class CredentialsE2eTest extends AccountsStage {
    /** Nobody but the account whose keys are used gets at its buckets, so that a volume which works shows whose they were. */
    @Test
    void eachVolumeIsMadeMountedAndDeletedWithTheKeysThatItNames() {
        secret("tenant-keys", cluster.tenant());
        String ofDriver = bucket("driver");
        String ofTenant = bucket("tenant", tenant);
        staticVolume(ofDriver);
        staticVolumeWith("tenant-keys", ofTenant);
        PersistentVolumeClaim plain = claim("plain", storageClass());
        PersistentVolumeClaim own = claim(
                "own", classWith("tenant", madeWith(namespace, "tenant-keys"), mountedWith(namespace, "tenant-keys")));

        Pod pod = runningWorkload("app", List.of(ofDriver, ofTenant, "plain", "own"), spec -> spec);
        assertThat(shell(pod, "cat /data/greeting /data2/greeting")).isEqualTo(ofDriver + ofTenant);
        shell(pod, "for at in /data /data2 /data3 /data4; do echo $at >$at/note; done");

        PersistentVolume plainVolume = boundVolume(plain);
        PersistentVolume ownVolume = boundVolume(own);
        assertThat(attribute(plainVolume, "authenticationSource")).isEqualTo("driver");
        assertThat(attribute(ownVolume, "authenticationSource")).isEqualTo("secret");
        List<String> buckets = List.of(ofDriver, ofTenant, bucketOf(plainVolume), bucketOf(ownVolume));
        assertThat(buckets).map(this::ownerOf).containsExactly("driver", "tenant", "driver", "tenant");
        assertThat(buckets)
                .map(bucket -> stored(bucket, "note").strip())
                .containsExactly("/data", "/data2", "/data3", "/data4");

        shell(pod, "rm /data3/note /data4/note");
        finish(pod);
        deleteWithVolume(plain);
        deleteWithVolume(own);
        assertThat(buckets).map(this::isBucketThere).containsExactly(true, true, false, false);
    }

    private PersistentVolume staticVolumeWith(String secret, String bucket) {
        return staticVolume(
                bucket,
                bucket,
                spec -> spec.editCsi()
                        .withVolumeAttributes(Map.of("bucketName", bucket, "authenticationSource", "secret"))
                        .withNewNodePublishSecretRef()
                        .withNamespace(namespace)
                        .withName(secret)
                        .endNodePublishSecretRef()
                        .endCsi());
    }

    /** And so it is with the driver's keys where only the bucket was made with a Secret. Both work once the bucket's owner allows it. */
    @Test
    void keysOfAnotherAccountThanTheBucketsAreDenied() {
        secret("tenant-keys", cluster.tenant());
        PersistentVolumeClaim mountedByTenant =
                claim("mounted-by-tenant", classWith("node", mountedWith(namespace, "tenant-keys")));
        PersistentVolumeClaim madeByTenant =
                claim("made-by-tenant", classWith("provisioner", madeWith(namespace, "tenant-keys")));
        Pod first = workload("first", "mounted-by-tenant");
        Pod second = workload("second", "made-by-tenant");
        awaitWords(first, "access denied", "403 AccessDenied");
        awaitWords(second, "access denied", "403 AccessDenied");

        PersistentVolume ofDriver = boundVolume(mountedByTenant);
        PersistentVolume ofTenant = boundVolume(madeByTenant);
        assertThat(ownerOf(bucketOf(ofDriver))).isEqualTo("driver");
        assertThat(ownerOf(bucketOf(ofTenant))).isEqualTo("tenant");
        share(owner, bucketOf(ofDriver));
        share(tenant, bucketOf(ofTenant));
        awaitRunning(first);
        awaitRunning(second);
        assertThat(shell(first, "echo one >/data/note && cat /data/note")).isEqualTo("one");
        assertThat(shell(second, "echo two >/data/note && cat /data/note")).isEqualTo("two");
    }

    @Test
    void keysThatTheStoreDoesNotKnowAreToldInItsWords() {
        String bucket = bucket("there");
        secret("keys", new Credentials.Keys("nobody", "nothing"));
        staticVolumeWith("keys", bucket);
        PersistentVolumeClaim claim = claim("dynamic", classWith("unknown", madeWith(namespace, "keys")));
        Pod pod = workload("app", bucket);
        awaitWords(pod, "the store does not know the access key", "403 InvalidAccessKeyId");
        awaitWords("dynamic", "InvalidAccessKeyId");
        remainsUnbound(claim);
    }
}
