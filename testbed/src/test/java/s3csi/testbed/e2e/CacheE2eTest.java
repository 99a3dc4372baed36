package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import s3csi.s3.testing.process.Scratch;
import s3csi.testbed.cluster.ControlPlane;
import s3csi.testbed.cluster.LiveCluster;
import software.amazon.awssdk.core.sync.RequestBody;

/** Caches: what was read once is read again on its node though the store has forgotten it. */
class CacheE2eTest extends ClusterStage {
    /** Long enough that the engine does not ask the store whether a file is still there. */
    private static final String REMEMBER = "metadata-ttl 600";

    private static final String SUM = "seq 1 200000 | sha256sum";

    @Test
    void whatAnInitContainerReadIsReadByTheMainOne() {
        String bucket = filledBucket("disk");
        String uncached = namespace + "-uncached";
        cachedVolume(bucket, bucket, Map.of("cache", "emptyDir", "cacheEmptyDirSizeLimit", "64Mi"));
        staticVolume(uncached, bucket, REMEMBER);
        Pod pod = runningWorkload("app", List.of(bucket, uncached), CacheE2eTest::readBothBefore);
        assertThat(cacheOf(bucket).getEmptyDir().getSizeLimit()).isEqualTo(new Quantity("64Mi"));
        forget(bucket);
        assertThat(shell(pod, readAgain("/data"))).as("with a cache").isEqualTo(shell(pod, SUM));
        assertThat(shell(pod, "! cat /data2/numbers 2>&1"))
                .as("without a cache")
                .contains("Input/output error");
        useAsAnyOther(pod, bucket);
    }

    /** With the option that 2.x had, whose directory is not used. */
    @Test
    void aUserWhoIsNotRootHasACacheByTheMountOption() {
        String bucket = filledBucket("option");
        staticVolume(
                bucket,
                bucket,
                "cache /var/lib/absent",
                REMEMBER,
                "uid=1001",
                "gid=1002",
                "allow-other",
                "allow-delete");
        Pod pod = runningWorkload(
                "app",
                List.of(bucket),
                spec -> spec.withNewSecurityContext()
                        .withRunAsUser(1001L)
                        .withRunAsGroup(1002L)
                        .endSecurityContext());
        assertThat(cacheOf(bucket).getEmptyDir().getSizeLimit()).isNull();
        String sum = shell(pod, SUM);
        assertThat(shell(pod, "{ %s; } | sha256sum".formatted(readFirst("/data"))))
                .isEqualTo(sum);
        forget(bucket);
        assertThat(shell(pod, readAgain("/data"))).as("once more").isEqualTo(sum);
        assertThat(shell(pod, readAgain("/data"))).as("and once more").isEqualTo(sum);
        useAsAnyOther(pod, bucket);
    }

    @Test
    void aCacheIsInMemoryOrOnADiskOfItsOwnIfTheVolumeSaysSo() {
        String bucket = filledBucket("memory");
        String onDisk = namespace + "-disk";
        Path disk = Scratch.directory("cache-disk");
        try {
            diskVolume(onDisk + "-volume", disk);
            cachedVolume(
                    bucket,
                    bucket,
                    Map.of("cache", "emptyDir", "cacheEmptyDirMedium", "Memory", "cacheEmptyDirSizeLimit", "32Mi"));
            cachedVolume(
                    onDisk,
                    bucket,
                    Map.of(
                            "cache", "ephemeral",
                            "cacheEphemeralStorageClassName", onDisk + "-volume",
                            "cacheEphemeralStorageResourceRequest", "1Gi"));
            Pod pod = runningWorkload("app", List.of(bucket, onDisk), CacheE2eTest::readBothBefore);
            assertThat(cacheOf(bucket).getEmptyDir().getMedium()).isEqualTo("Memory");
            PersistentVolumeClaim claim = diskClaim(onDisk);
            assertThat(claim.getMetadata().getLabels())
                    .containsEntry("s3.csi.scality.com/type", "local-ephemeral-cache");
            assertThat(claim.getSpec().getVolumeName()).isEqualTo(onDisk + "-volume");
            assertThat(disk).as("the cache's disk").isNotEmptyDirectory();
            forget(bucket);
            String sum = shell(pod, SUM);
            assertThat(shell(pod, readAgain("/data"))).as("in memory").isEqualTo(sum);
            assertThat(shell(pod, readAgain("/data2"))).as("on a disk").isEqualTo(sum);
            finish(pod);
            await(
                    () -> "the claim of the cache is left",
                    () -> client.resource(claim).get() == null);
        } finally {
            client.persistentVolumes().withName(onDisk + "-volume").delete();
            Scratch.delete(disk);
        }
    }

    private String filledBucket(String name) {
        String bucket = bucket(name);
        String numbers =
                IntStream.rangeClosed(1, 200_000).mapToObj(n -> n + "\n").collect(Collectors.joining());
        witness.putObject(request -> request.bucket(bucket).key("numbers"), RequestBody.fromString(numbers));
        return bucket;
    }

    private void cachedVolume(String name, String bucket, Map<String, String> attributes) {
        Map<String, String> all = new HashMap<>(attributes);
        all.put("bucketName", bucket);
        staticVolume(
                name,
                bucket,
                spec -> spec.withMountOptions(REMEMBER, "allow-delete")
                        .editCsi()
                        .withVolumeAttributes(all)
                        .endCsi());
    }

    /** An init container reads the file of both volumes. */
    private static PodSpecBuilder readBothBefore(PodSpecBuilder spec) {
        return spec.addNewInitContainer()
                .withName("before")
                .withImage(LiveCluster.WORKLOAD_IMAGE)
                .withCommand("sh", "-c", readFirst("/data") + " >/dev/null && " + readFirst("/data2") + " >/dev/null")
                .withVolumeMounts(spec.buildFirstContainer().getVolumeMounts())
                .endInitContainer();
    }

    private void forget(String bucket) {
        witness.deleteObject(request -> request.bucket(bucket).key("numbers"));
    }

    /** Past the kernel, which would keep what it read. */
    private static String readFirst(String directory) {
        return "dd if=%s/numbers bs=1M iflag=direct".formatted(directory);
    }

    private static String readAgain(String directory) {
        return "sha256sum <%s/numbers".formatted(directory);
    }

    private void useAsAnyOther(Pod pod, String bucket) {
        shell(pod, "mkdir /data/folder && echo new >/data/folder/note");
        assertThat(shell(pod, "cat /data/folder/note /data/folder/note && ls /data/folder"))
                .isEqualTo("new\nnew\nnote");
        assertThat(stored(bucket, "folder/note")).isEqualTo("new\n");
        shell(pod, "rm -r /data/folder");
        assertThat(shell(pod, "ls /data")).doesNotContain("folder");
    }

    private Volume cacheOf(String volume) {
        return mountpointPod(volume).getSpec().getVolumes().stream()
                .filter(candidate -> candidate.getName().equals("local-cache"))
                .findFirst()
                .orElseThrow();
    }

    private PersistentVolumeClaim diskClaim(String volume) {
        return client.persistentVolumeClaims()
                .inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                .withName(mountpointPod(volume).getMetadata().getName() + "-local-cache")
                .require();
    }

    /** A directory of the node as a disk, and a class of the same name for it. */
    private void diskVolume(String name, Path directory) {
        storageClass(
                name,
                storageClass -> storageClass
                        .withProvisioner("kubernetes.io/no-provisioner")
                        .withMountOptions());
        client.resource(new PersistentVolumeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withAccessModes("ReadWriteOnce")
                        .addToCapacity("storage", new Quantity("1Gi"))
                        .withStorageClassName(name)
                        .withPersistentVolumeReclaimPolicy("Retain")
                        .withNewLocal()
                        .withPath(directory.toString())
                        .endLocal()
                        .withNewNodeAffinity()
                        .withNewRequired()
                        .addNewNodeSelectorTerm()
                        .addNewMatchExpression()
                        .withKey("kubernetes.io/hostname")
                        .withOperator("In")
                        .withValues("node1")
                        .endMatchExpression()
                        .endNodeSelectorTerm()
                        .endRequired()
                        .endNodeAffinity()
                        .endSpec()
                        .build())
                .create();
    }
}
