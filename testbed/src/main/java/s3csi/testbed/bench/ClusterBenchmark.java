package s3csi.testbed.bench;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import s3csi.s3.testing.process.Await;
import s3csi.testbed.cluster.LiveCluster;
import s3csi.testbed.cluster.SampleObjects;
import s3csi.testbed.s3.S3Clients;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * What the driver costs in a cluster: how much later a pod runs because of its volume, when that is mounted for it and when it is mounted
 * already, beside pods without one; how soon a volume is mounted when what was wrong is put right; the memory of every container.
 * {@code ClusterBenchmark <cluster directory> [--json]} prints a table, and ends with 1 when a bar is missed.
 */
public final class ClusterBenchmark implements AutoCloseable {
    private static final String NAMESPACE = "benchmark";
    private static final int ROUNDS = 7;
    private static final Duration SOON = Duration.ofMinutes(3);

    private final KubernetesClient client;
    private final S3Client store;

    private ClusterBenchmark(KubernetesClient client, S3Client store) {
        this.client = client;
        this.store = store;
    }

    public static void main(String[] arguments) {
        List<Figure> figures;
        try (LiveCluster cluster = LiveCluster.at(Path.of(arguments[0]));
                S3Client store = S3Clients.root(cluster);
                ClusterBenchmark benchmark = new ClusterBenchmark(cluster.client(), store)) {
            figures = benchmark.figures();
        }
        Figure.print(
                figures,
                "the driver in a cluster of one machine, medians of %d rounds in turns".formatted(ROUNDS),
                Arrays.copyOfRange(arguments, 1, arguments.length));
        System.exit(figures.stream().allMatch(Figure::isHeld) ? 0 : 1);
    }

    private List<Figure> figures() {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        double[] plain = new double[ROUNDS];
        double[] cold = new double[ROUNDS];
        double[] shared = new double[ROUNDS];
        // Unmeasured: the first pod of a node waits for more than those after it.
        finish(start("first", emptyDirectory()));
        for (int round = 0; round < ROUNDS; round++) {
            String volume = volume("round-" + round);
            plain[round] = secondsToRun("plain-" + round, emptyDirectory());
            cold[round] = secondsToRun("cold-" + round, claimed(volume));
            shared[round] = secondsToRun("shared-" + round, claimed(volume));
            client.pods().inNamespace(NAMESPACE).list().getItems().forEach(this::finish);
        }
        double start = median(plain);
        List<Figure> figures = new ArrayList<>();
        figures.add(Figure.of("a pod with an empty directory runs after", "s", start));
        figures.add(Figure.of("a pod whose volume is mounted for it", "s", median(cold)));
        figures.add(Figure.of("a pod whose volume is mounted already", "s", median(shared)));
        figures.add(
                Figure.atMost("what mounting adds, in terms of the first", "", (median(cold) - start) / start, 0.9));
        figures.add(
                Figure.atMost("what sharing adds, in terms of the first", "", (median(shared) - start) / start, 0.1));
        figures.add(Figure.atMost(
                "from the first publish after a missing bucket is there until it is mounted", "s", recovery(), 5));
        figures.addAll(memory());
        return figures;
    }

    /** A volume of a new bucket, and its claim. */
    private String volume(String name) {
        String bucket = NAMESPACE + "-" + name;
        store.createBucket(request -> request.bucket(bucket));
        makeVolume(bucket);
        return bucket;
    }

    private void makeVolume(String bucket) {
        client.resource(SampleObjects.volume(NAMESPACE, bucket, Map.of("bucketName", bucket)))
                .create();
        client.resource(SampleObjects.claim(NAMESPACE, bucket)).create();
        await(
                () -> "the claim %s is not bound".formatted(bucket),
                () -> "Bound"
                        .equals(client.persistentVolumeClaims()
                                .inNamespace(NAMESPACE)
                                .withName(bucket)
                                .get()
                                .getStatus()
                                .getPhase()));
    }

    private static VolumeBuilder emptyDirectory() {
        return new VolumeBuilder().withNewEmptyDir().endEmptyDir();
    }

    private static VolumeBuilder claimed(String claim) {
        return new VolumeBuilder()
                .withNewPersistentVolumeClaim()
                .withClaimName(claim)
                .endPersistentVolumeClaim();
    }

    private double secondsToRun(String name, VolumeBuilder volume) {
        long started = System.nanoTime();
        start(name, volume);
        return (System.nanoTime() - started) / 1e9;
    }

    /** A pod that runs. */
    private Pod start(String name, VolumeBuilder volume) {
        Pod pod = create(name, volume.withName("data").build());
        // Watched, not asked again and again: on two cores that would cost what is measured.
        client.resource(pod).waitUntilCondition(Readiness::isPodReady, SOON.toSeconds(), TimeUnit.SECONDS);
        return pod;
    }

    private Pod create(String name, Volume volume) {
        return client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withTerminationGracePeriodSeconds(0L)
                        .addNewContainer()
                        .withName("main")
                        .withImage(LiveCluster.WORKLOAD_IMAGE)
                        .withCommand("sleep", "infinity")
                        .addNewVolumeMount()
                        .withName(volume.getName())
                        .withMountPath("/data")
                        .endVolumeMount()
                        .endContainer()
                        .withVolumes(volume)
                        .endSpec()
                        .build())
                .create();
    }

    private void finish(Pod pod) {
        client.resource(pod).delete();
        client.resource(pod).waitUntilCondition(Objects::isNull, SOON.toSeconds(), TimeUnit.SECONDS);
    }

    /** Seconds until a volume is mounted whose bucket was missing, counted from kubelet's first call after the bucket was made. */
    private double recovery() {
        String bucket = NAMESPACE + "-late";
        makeVolume(bucket);
        PublishCalls calls = new PublishCalls(client, bucket);
        Pod pod = create("late", claimed(bucket).withName("data").build());
        await(() -> "no call fails for want of a bucket", () -> !calls.ended().isEmpty());
        store.createBucket(request -> request.bucket(bucket));
        long made = System.currentTimeMillis();
        client.resource(pod).waitUntilCondition(Readiness::isPodReady, SOON.toSeconds(), TimeUnit.SECONDS);
        return calls.secondsToSuccess(made);
    }

    /** While a volume is mounted. */
    private List<Figure> memory() {
        start("mounted", claimed(volume("mounted")));
        List<Figure> figures = new ArrayList<>();
        double node = 0;
        for (ContainerMemory container : ContainerMemory.of(client)) {
            figures.add(
                    switch (container.name()) {
                        case "s3-plugin" -> container.atMost(96);
                        case "s3-csi-controller" -> container.atMost(110);
                        case "s3-pod-reconciler" -> container.atMost(128);
                        case "mountpoint" -> container.atMost(60);
                        default -> container.reported();
                    });
            node += container.isOfNode() ? container.megabytes() : 0;
        }
        figures.add(Figure.atMost("resident memory of a node's pod, with all of its containers", "MB", node, 1.2 * 94));
        return figures;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static void await(Supplier<String> message, BooleanSupplier condition) {
        Await.until(SOON, message, condition);
    }

    /** Removes what was made; the store's buckets go with the cluster. */
    @Override
    public void close() {
        client.pods().inNamespace(NAMESPACE).list().getItems().forEach(this::finish);
        client.persistentVolumeClaims().inNamespace(NAMESPACE).delete();
        client.persistentVolumes().list().getItems().stream()
                .filter(volume -> volume.getMetadata().getName().startsWith(NAMESPACE + "-"))
                .forEach(volume -> client.resource(volume).delete());
        client.namespaces().withName(NAMESPACE).delete();
        client.namespaces().withName(NAMESPACE).waitUntilCondition(Objects::isNull, SOON.toSeconds(), TimeUnit.SECONDS);
    }
}
