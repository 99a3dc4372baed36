package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpecBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeSpecBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import s3csi.s3.testing.process.Await;
import s3csi.testbed.cluster.ControlPlane;
import s3csi.testbed.cluster.LiveCluster;
import s3csi.testbed.s3.S3Clients;
import s3csi.volume.Driver;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;

/** The running cluster, and a namespace of its own for each test, after which neither Mountpoint Pods nor attachments may be left of it. */
@Tag("e2e")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ClusterStage {
    static final Duration SOON = Duration.ofSeconds(90);

    final LiveCluster cluster = LiveCluster.at(Path.of("..", "build", "cluster"));
    final KubernetesClient client = cluster.client();
    /** Sees everything in the store. */
    final S3Client witness = S3Clients.root(cluster);

    /** Has the driver's keys. */
    final S3Client owner = S3Clients.of(cluster, cluster.driver());

    /** Of the test; volumes, classes and buckets, which have no namespace, begin with it. */
    String namespace = "";

    @BeforeEach
    void makeNamespace() {
        namespace = "e2e-" + UUID.randomUUID().toString().substring(0, 8);
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
    }

    @AfterEach
    void removeNamespace() {
        List<Pod> pods = client.pods().inNamespace(namespace).list().getItems();
        pods.forEach(this::finish);
        List<PersistentVolume> volumes = volumes();
        volumes.forEach(volume -> await(
                () -> "Mountpoint Pods of " + volume.getMetadata().getName() + " are left",
                () -> cluster.attachments(volume.getMetadata().getName()).isEmpty()));
        client.persistentVolumeClaims().inNamespace(namespace).delete();
        volumes.forEach(volume -> client.resource(volume).delete());
        await(() -> "volumes are left: " + volumes(), () -> volumes().isEmpty());
        client.storage().v1().storageClasses().list().getItems().stream()
                .filter(storageClass -> storageClass.getMetadata().getName().startsWith(namespace))
                .forEach(storageClass -> client.resource(storageClass).delete());
        client.namespaces().withName(namespace).delete();
    }

    @AfterAll
    void close() {
        witness.close();
        owner.close();
        cluster.close();
    }

    /** Those whose claims are, or were, of this test. */
    private List<PersistentVolume> volumes() {
        return client.persistentVolumes().list().getItems().stream()
                .filter(volume -> volume.getSpec().getClaimRef() != null
                        && namespace.equals(volume.getSpec().getClaimRef().getNamespace()))
                .toList();
    }

    /** A bucket of the driver's account with one object, {@code greeting}, that holds the bucket's name. */
    final String bucket(String name) {
        return bucket(name, owner);
    }

    /** The same, of whoever has the client. */
    final String bucket(String name, S3Client owner) {
        String bucket = namespace + "-" + name;
        owner.createBucket(request -> request.bucket(bucket));
        owner.putObject(request -> request.bucket(bucket).key("greeting"), RequestBody.fromString(bucket));
        return bucket;
    }

    final boolean isBucketThere(String bucket) {
        try {
            witness.headBucket(request -> request.bucket(bucket));
            return true;
        } catch (NoSuchBucketException absent) {
            return false;
        }
    }

    final String stored(String bucket, String key) {
        return witness.getObjectAsBytes(request -> request.bucket(bucket).key(key))
                .asUtf8String();
    }

    /** A volume for a bucket that is there, and a claim of the bucket's name for it. */
    final PersistentVolume staticVolume(String bucket) {
        return staticVolume(bucket, bucket, spec -> spec);
    }

    /** A volume with these mount options and no other, and a claim for it. */
    final PersistentVolume staticVolume(String name, String bucket, String... options) {
        return staticVolume(name, bucket, spec -> spec.withMountOptions(options));
    }

    /**
     * A volume as a test wants it, and a claim for it.
     *
     * @param name of both: a bucket may have several volumes
     * @param changed what is different from a volume that keeps its bucket, may be written by many, and has the driver's keys
     */
    final PersistentVolume staticVolume(
            String name, String bucket, UnaryOperator<PersistentVolumeSpecBuilder> changed) {
        PersistentVolumeSpecBuilder spec = new PersistentVolumeSpecBuilder()
                .withAccessModes("ReadWriteMany")
                .addToCapacity("storage", new Quantity("1Gi"))
                .withStorageClassName("")
                .withPersistentVolumeReclaimPolicy("Retain")
                .withMountOptions("allow-delete")
                .withNewClaimRef()
                .withNamespace(namespace)
                .withName(name)
                .endClaimRef()
                .withNewCsi()
                .withDriver(Driver.NAME)
                .withVolumeHandle(name)
                .withVolumeAttributes(Map.of("bucketName", bucket))
                .endCsi();
        PersistentVolume volume = client.resource(new PersistentVolumeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withSpec(changed.apply(spec).build())
                        .build())
                .create();
        claim(name, "", claim -> claim.withAccessModes(volume.getSpec().getAccessModes()));
        return volume;
    }

    /** A class that has this driver make buckets. */
    final String storageClass() {
        return storageClass(namespace, storageClass -> storageClass);
    }

    /**
     * A class as a test wants it.
     *
     * @param name which must begin with that of the test's namespace
     */
    final String storageClass(String name, UnaryOperator<StorageClassBuilder> changed) {
        StorageClassBuilder storageClass = new StorageClassBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withProvisioner(Driver.NAME)
                .withMountOptions("allow-delete");
        client.resource(changed.apply(storageClass).build()).create();
        return name;
    }

    final PersistentVolumeClaim claim(String name, String storageClass) {
        return claim(name, storageClass, claim -> claim);
    }

    final PersistentVolumeClaim claim(
            String name, String storageClass, UnaryOperator<PersistentVolumeClaimSpecBuilder> changed) {
        PersistentVolumeClaimSpecBuilder spec = new PersistentVolumeClaimSpecBuilder()
                .withAccessModes("ReadWriteMany")
                .withStorageClassName(storageClass)
                .withNewResources()
                .addToRequests("storage", new Quantity("1Gi"))
                .endResources();
        return client.resource(new PersistentVolumeClaimBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .endMetadata()
                        .withSpec(changed.apply(spec).build())
                        .build())
                .create();
    }

    /** The volume that a claim was bound to. */
    final PersistentVolume boundVolume(PersistentVolumeClaim claim) {
        await(
                () -> "the claim is not bound: " + client.resource(claim).get().getStatus(),
                () -> client.resource(claim).get().getSpec().getVolumeName() != null);
        return client.persistentVolumes()
                .withName(client.resource(claim).get().getSpec().getVolumeName())
                .get();
    }

    /** A pod of busybox with a claim's volume at {@code /data}, which may not run yet. */
    final Pod workload(String name, String claim) {
        return workload(name, List.of(claim), pod -> pod);
    }

    /**
     * A pod as a test wants it, which may not run yet.
     *
     * @param claims the volume of the first is at {@code /data}, of the second at {@code /data2}, and so on
     */
    final Pod workload(String name, List<String> claims, UnaryOperator<PodSpecBuilder> changed) {
        List<Volume> volumes = IntStream.range(0, claims.size())
                .mapToObj(index -> new VolumeBuilder()
                        .withName("data" + index)
                        .withNewPersistentVolumeClaim()
                        .withClaimName(claims.get(index))
                        .endPersistentVolumeClaim()
                        .build())
                .toList();
        List<VolumeMount> mounts = IntStream.range(0, claims.size())
                .mapToObj(index -> new VolumeMountBuilder()
                        .withName("data" + index)
                        .withMountPath(index == 0 ? "/data" : "/data" + (index + 1))
                        .build())
                .toList();
        PodSpecBuilder spec = new PodSpecBuilder()
                .withTerminationGracePeriodSeconds(1L)
                // Where not said otherwise: pods share mounts only on one node.
                .withNodeSelector(Map.of("kubernetes.io/hostname", "node1"))
                .addNewContainer()
                .withName("main")
                .withImage(LiveCluster.WORKLOAD_IMAGE)
                .withCommand("sleep", "infinity")
                .withVolumeMounts(mounts)
                .endContainer()
                .withVolumes(volumes);
        return client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .endMetadata()
                        .withSpec(changed.apply(spec).build())
                        .build())
                .create();
    }

    final Pod runningWorkload(String name, String claim) {
        return runningWorkload(name, List.of(claim), pod -> pod);
    }

    final Pod runningWorkload(String name, List<String> claims, UnaryOperator<PodSpecBuilder> changed) {
        Pod pod = workload(name, claims, changed);
        awaitRunning(pod);
        return pod;
    }

    final void awaitRunning(Pod pod) {
        await(
                () -> "the pod does not run: " + story(pod),
                () -> Readiness.isPodReady(
                        Objects.requireNonNull(client.resource(pod).get())));
    }

    /** The Mountpoint Pod that serves a volume; there must be one. */
    final Pod mountpointPod(String volume) {
        List<String> names = cluster.mountpointPods(volume);
        assertThat(names).as("Mountpoint Pods of %s", volume).hasSize(1);
        return client.pods()
                .inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                .withName(names.getFirst())
                .require();
    }

    /** Waits until the Events of a pod say something. */
    final void awaitEvent(Pod pod, String text) {
        await(
                () -> "no Event says \"%s\": %s".formatted(text, story(pod)),
                () -> story(pod).contains(text));
    }

    /** Deletes a pod and waits until kubelet has taken its volumes away. */
    final void finish(Pod pod) {
        client.resource(pod).delete();
        await(
                () -> "the pod does not end: " + story(pod),
                () -> client.resource(pod).get() == null);
    }

    private String story(Pod pod) {
        return cluster.story(namespace, pod.getMetadata().getName());
    }

    /** What a script printed in a pod. */
    final String shell(Pod pod, String script) {
        return cluster.run(namespace, pod.getMetadata().getName(), "sh", "-c", script);
    }

    static void await(Supplier<String> message, BooleanSupplier condition) {
        Await.until(SOON, message, condition);
    }
}
