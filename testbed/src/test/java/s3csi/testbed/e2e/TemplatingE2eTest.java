package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Names of Secrets that depend on the claim: there is one Secret of the name that must come out, and no other that would do. */
class TemplatingE2eTest extends AccountsStage {
    private static final String ANNOTATION = "example.com/team";

    @Test
    void theSecretThatMakesABucketIsNamedByTheClaim() {
        secret("data", cluster.tenant());
        secret("keys-of-" + namespace, cluster.tenant());
        secret("keys", cluster.tenant());
        List<PersistentVolumeClaim> claims = List.of(
                claim("data", classWith("name", madeWith(namespace, "${pvc.name}"))),
                claim("second", classWith("namespace-in-name", madeWith(namespace, "keys-of-${pvc.namespace}"))),
                claim("third", classWith("namespace", madeWith("${pvc.namespace}", "keys"))));
        assertThat(claims).map(claim -> ownerOf(bucketOf(boundVolume(claim)))).containsOnly("tenant");
    }

    /** The volume's name is that of the claim's UID. With a class that waits for a pod there is time to make what is named by it. */
    @Test
    void theSecretOfAVolumeThatWaitsForAPodIsNamedByTheVolume() {
        PersistentVolumeClaim inName =
                claim("in-name", waitingClass("name", "${pv.name}-${pvc.name}", "${pvc.namespace}"));
        PersistentVolumeClaim inNamespace = claim("in-namespace", waitingClass("namespace", "keys", "${pv.name}"));
        secret(volumeName(inName) + "-in-name", cluster.tenant());
        String own = namespaceNamed(volumeName(inNamespace));
        try {
            secret(own, "keys", cluster.tenant());
            Pod pod = runningWorkload("app", List.of("in-name", "in-namespace"), spec -> spec);
            shell(pod, "touch /data/a /data2/b && rm /data/a /data2/b");
            assertThat(List.of(inName, inNamespace))
                    .map(claim -> ownerOf(bucketOf(boundVolume(claim))))
                    .containsOnly("tenant");
            finish(pod);
            deleteWithVolume(inNamespace);
        } finally {
            client.namespaces().withName(own).delete();
        }
    }

    private static String volumeName(PersistentVolumeClaim claim) {
        return "pvc-" + claim.getMetadata().getUid();
    }

    private String waitingClass(String name, String secret, String secretNamespace) {
        return storageClass(
                namespace + "-waiting-" + name,
                storageClass -> storageClass
                        .withVolumeBindingMode("WaitForFirstConsumer")
                        .withParameters(madeWith(secretNamespace, secret))
                        .addToParameters(mountedWith(secretNamespace, secret)));
    }

    @Test
    void theSecretThatMountsABucketIsNamedByTheClaimAndItsAnnotations() {
        String storageClass = classWith("all", mountedWith("${pvc.namespace}", parts("${pv.name}", "${pvc.name}")));
        PersistentVolumeClaim claim = claimIn(namespace, "data", storageClass, Map.of(ANNOTATION, "blue"));
        PersistentVolumeClaim ofVolume = claim("of-volume", classWith("of-volume", mountedWith("${pv.name}", "keys")));
        assertThat(boundVolume(claim).getSpec().getCsi().getNodePublishSecretRef())
                .satisfies(reference -> {
                    assertThat(reference.getNamespace()).isEqualTo(namespace);
                    assertThat(reference.getName())
                            .isEqualTo("keys-%s-%s-%s-blue".formatted(volumeName(claim), namespace, "data"));
                });
        assertThat(boundVolume(ofVolume)
                        .getSpec()
                        .getCsi()
                        .getNodePublishSecretRef()
                        .getNamespace())
                .isEqualTo(volumeName(ofVolume));

        PersistentVolumeClaim unannotated = claim("unannotated", storageClass);
        awaitWords("unannotated", ANNOTATION, "means nothing for this claim");
        remainsUnbound(unannotated);
    }

    private static String parts(String volume, String claim) {
        return "keys-" + volume + "-${pvc.namespace}-" + claim + "-${pvc.annotations['" + ANNOTATION + "']}";
    }

    /** One class for all: the namespace decides who makes the bucket, an annotation who mounts it. */
    @Test
    void tenantsOfOneClassGetAtTheirOwnBucketsOnly() {
        String other = furtherNamespace("other");
        secret("admin", cluster.tenant());
        secret(other, "admin", cluster.driver());
        secret("blue", cluster.tenant());
        secret("red", cluster.driver());
        String storageClass = classWith(
                "tenants",
                madeWith("${pvc.namespace}", "admin"),
                mountedWith("${pvc.namespace}", "${pvc.annotations['" + ANNOTATION + "']}"));
        PersistentVolumeClaim blue = claimIn(namespace, "blue", storageClass, Map.of(ANNOTATION, "blue"));
        PersistentVolumeClaim red = claimIn(namespace, "red", storageClass, Map.of(ANNOTATION, "red"));
        PersistentVolumeClaim elsewhere = claimIn(other, "elsewhere", storageClass, Map.of(ANNOTATION, "admin"));

        Pod ofBlue = workload("blue", "blue");
        Pod ofRed = workload("red", "red");
        awaitWords(ofRed, "403 AccessDenied");
        awaitRunning(ofBlue);
        shell(ofBlue, "echo mine >/data/note");
        PersistentVolume volume = boundVolume(blue);
        assertThat(stored(bucketOf(volume), "note")).isEqualTo("mine\n");
        assertThat(List.of(blue, red, elsewhere))
                .map(claim -> ownerOf(bucketOf(boundVolume(claim))))
                .containsExactly("tenant", "tenant", "driver");
    }

    @Test
    void aFixedSecretThatMakesGoesWithATemplateForTheOneThatMounts() {
        secret(furtherNamespace("admins"), "keys", cluster.tenant());
        secret("mount-data", cluster.tenant());
        claim(
                "data",
                classWith(
                        "mixed",
                        madeWith(namespace + "-admins", "keys"),
                        mountedWith("${pvc.namespace}", "mount-${pvc.name}")));
        Pod pod = runningWorkload("app", "data");
        assertThat(shell(pod, "echo mixed >/data/note && cat /data/note")).isEqualTo("mixed");
    }
}
