package s3csi.testbed.demo;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import s3csi.s3.testing.process.Await;
import s3csi.testbed.cluster.LiveCluster;
import s3csi.testbed.s3.S3Clients;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;

/** A static and a dynamic volume in the cluster, and two pods that share a mount: {@code ClusterDemo <cluster directory> <manifest>}. */
public final class ClusterDemo {
    private static final String NAMESPACE = "demo";
    private static final String ARCHIVE = "demo-archive";
    private static final String LETTER = "letter.txt";
    private static final Duration SOON = Duration.ofMinutes(2);

    private final LiveCluster cluster;
    private final KubernetesClient client;
    private final S3Client store;
    private final Path manifest;
    private final Story story = new Story(System.out);

    private ClusterDemo(LiveCluster cluster, S3Client store, Path manifest) {
        this.cluster = cluster;
        this.client = cluster.client();
        this.store = store;
        this.manifest = manifest;
    }

    public static void main(String[] arguments) {
        try (LiveCluster cluster = LiveCluster.at(Path.of(arguments[0]));
                S3Client store = S3Clients.of(cluster, cluster.driver())) {
            ClusterDemo demo = new ClusterDemo(cluster, store, Path.of(arguments[1]));
            demo.remove();
            demo.play();
        } catch (IllegalStateException | KubernetesClientException | SdkException failure) {
            System.err.println("s3csi: the demo failed: " + failure.getMessage());
            System.exit(1);
        }
    }

    private void play() {
        story.step(this::fillArchive, _ -> "the store has a bucket, %s, with an object, %s".formatted(ARCHIVE, LETTER));
        story.step(
                this::apply,
                count -> "applied %d objects: claims for that bucket and for a new one, and two pods".formatted(count));
        PersistentVolume shared = story.step(
                () -> volumeOf("shared"),
                volume -> "the driver made the bucket %s for the claim 'shared'".formatted(bucket(volume)));
        story.step(
                this::awaitPods, _ -> "the pods 'writer' and 'reader' run, with their buckets mounted as directories");
        List<String> serving = story.step(
                () -> cluster.mountpointPods(shared.getMetadata().getName()),
                pods -> "the Mountpoint Pod %s serves 'shared' for both, with one mount"
                        .formatted(String.join(" and ", pods)));
        story.step(
                () -> shell("writer", "echo 'hello, reader' >/shared/note.txt"), _ -> "writer wrote /shared/note.txt");
        story.step(
                () -> shell("reader", "cat /shared/note.txt"), text -> "reader read from there: '%s'".formatted(text));
        story.step(
                () -> shell("reader", "cat /archive/" + LETTER),
                text -> "reader read /archive/%s: '%s'".formatted(LETTER, text));
        story.step(
                () -> shell("writer", "rm /shared/note.txt"),
                _ -> "writer removed its file: the driver keeps buckets that hold data");
        story.step(
                () -> removePods(serving),
                _ -> "the pods were deleted; the Mountpoint Pod unmounted, ended and was removed");
        story.step(
                () -> removeShared(shared), _ -> "the claim 'shared' was deleted; the driver deleted its bucket, too");
        story.step(
                this::removeArchive,
                _ -> "the claim 'archive' was deleted; its bucket was no work of the driver, and still has its letter");
        remove();
        story.end("the demo removed what it had made");
    }

    private Boolean fillArchive() {
        store.createBucket(request -> request.bucket(ARCHIVE));
        store.putObject(
                request -> request.bucket(ARCHIVE).key(LETTER), RequestBody.fromString("written before all this"));
        return true;
    }

    private int apply() {
        try (InputStream objects = Files.newInputStream(manifest)) {
            return client.load(objects).serverSideApply().size();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + manifest, e);
        }
    }

    private PersistentVolume volumeOf(String claim) {
        await(() -> "the claim '%s' is not bound; %s".formatted(claim, cluster.story(NAMESPACE, claim)), () -> {
            PersistentVolumeClaim now = client.persistentVolumeClaims()
                    .inNamespace(NAMESPACE)
                    .withName(claim)
                    .get();
            return now.getStatus() != null && "Bound".equals(now.getStatus().getPhase());
        });
        PersistentVolume volume = client.persistentVolumes()
                .withName(client.persistentVolumeClaims()
                        .inNamespace(NAMESPACE)
                        .withName(claim)
                        .get()
                        .getSpec()
                        .getVolumeName())
                .get();
        if (!isBucketThere(bucket(volume))) {
            throw new IllegalStateException("the store has no bucket " + bucket(volume));
        }
        return volume;
    }

    private static String bucket(PersistentVolume volume) {
        return volume.getSpec().getCsi().getVolumeHandle();
    }

    private Boolean awaitPods() {
        for (String name : List.of("writer", "reader")) {
            await(
                    () -> "the pod '%s' does not run; %s".formatted(name, cluster.story(NAMESPACE, name)),
                    () -> Readiness.isPodReady(
                            client.pods().inNamespace(NAMESPACE).withName(name).get()));
        }
        return true;
    }

    private String shell(String pod, String script) {
        return cluster.run(NAMESPACE, pod, "sh", "-c", script);
    }

    private Boolean removePods(List<String> mountpointPods) {
        List<Pod> pods = client.pods().inNamespace(NAMESPACE).list().getItems();
        pods.forEach(pod -> client.resource(pod).delete());
        await(
                () -> "the pods do not end",
                () -> client.pods().inNamespace(NAMESPACE).list().getItems().isEmpty());
        await(
                () -> "the Mountpoint Pods %s do not end".formatted(mountpointPods),
                () -> mountpointPods.stream().noneMatch(cluster::isMountpointPodThere));
        return true;
    }

    private Boolean removeShared(PersistentVolume volume) {
        client.persistentVolumeClaims()
                .inNamespace(NAMESPACE)
                .withName("shared")
                .delete();
        await(
                () -> "the bucket %s is not deleted".formatted(bucket(volume)),
                () -> client.resource(volume).get() == null && !isBucketThere(bucket(volume)));
        return true;
    }

    private Boolean removeArchive() {
        client.persistentVolumeClaims()
                .inNamespace(NAMESPACE)
                .withName("archive")
                .delete();
        client.persistentVolumes().withName(ARCHIVE).delete();
        await(
                () -> "the volume of the archive is not deleted",
                () -> client.persistentVolumes().withName(ARCHIVE).get() == null);
        store.headObject(request -> request.bucket(ARCHIVE).key(LETTER));
        return true;
    }

    private boolean isBucketThere(String bucket) {
        try {
            store.headBucket(request -> request.bucket(bucket));
            return true;
        } catch (NoSuchBucketException absent) {
            return false;
        }
    }

    /** What this demo made, and what one that failed has left. */
    private void remove() {
        try (InputStream objects = Files.newInputStream(manifest)) {
            var made = client.load(objects);
            made.delete();
            await(
                    () -> "what the demo made does not go away",
                    () -> made.get().stream().allMatch(object -> object == null));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + manifest, e);
        }
        if (isBucketThere(ARCHIVE)) {
            store.deleteObject(request -> request.bucket(ARCHIVE).key(LETTER));
            store.deleteBucket(request -> request.bucket(ARCHIVE));
        }
    }

    private static void await(Supplier<String> message, BooleanSupplier condition) {
        Await.until(SOON, message, condition);
    }
}
