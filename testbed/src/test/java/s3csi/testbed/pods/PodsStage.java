package s3csi.testbed.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.S3Server;
import s3csi.testbed.cluster.ControlPlane;
import s3csi.testbed.cluster.RunningController;
import s3csi.testbed.cluster.Scenario;
import s3csi.testbed.csi.SecretDirectory;
import s3csi.testbed.s3.S3Clients;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** One store and one API server for a test class; a controller and a node of its own for each test, after which nothing may be left. */
@Tag("pods")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PodsStage {
    static final Duration SOON = Duration.ofSeconds(60);
    private static final AtomicInteger SCENARIOS = new AtomicInteger();

    final S3Server store = startStore();
    final ControlPlane plane = ControlPlane.start();
    final S3Client witness = S3Clients.root(store);

    /** What the driver has as its own keys; a test may rotate them. */
    final SecretDirectory driverSecret =
            new SecretDirectory(Scratch.directory("secret"), SecretDirectory.content(store.root()));

    Scenario scenario;
    RunningController controller;
    ClusterNode node;
    SmallKubelet kubelet;

    S3Server startStore() {
        return MinioServer.start();
    }

    /** What runs in Mountpoint Pods. */
    List<String> mounter() {
        return List.of(Tools.program("scality-s3-csi-mounter").toString());
    }

    /** As whom the driver talks to the API server. */
    Path serviceAccount() {
        return plane.serviceAccount();
    }

    @BeforeEach
    void start() {
        scenario = new Scenario(plane.client(), "p" + SCENARIOS.incrementAndGet());
        controller = RunningController.start(plane);
        Path scratch = Scratch.directory("cluster-node");
        node = ClusterNode.start(plane, serviceAccount(), store, driverSecret, scenario.node("n"), scratch);
        kubelet = new SmallKubelet(plane.client(), scenario.node("n"), node.kubelet(), scratch, mounter());
    }

    @AfterEach
    void end() {
        kubelet.close();
        controller.close();
        node.close();
        Scratch.delete(node.directory());
    }

    @AfterAll
    void close() {
        witness.close();
        plane.close();
        store.close();
    }

    /** A bucket with one object, {@code greeting}, that holds the bucket's name; and a volume and a claim of that name. */
    final String volume(String name) {
        String bucket = scenario.volumeName(name);
        witness.createBucket(request -> request.bucket(bucket));
        witness.putObject(request -> request.bucket(bucket).key("greeting"), RequestBody.fromString(bucket));
        scenario.boundVolume(name);
        return bucket;
    }

    /** What a volume of {@link #volume} is called in the cluster. */
    final String name(String volume) {
        return scenario.volumeName(volume);
    }

    final Pod workload(String pod, String volume) {
        return scenario.workload(pod, "n", volume);
    }

    /** Kubelet's part for one volume of a pod: publish, until it works. */
    final Path publish(Pod workload, String volume) {
        return node.publish(node.request(workload, name(volume), name(volume)));
    }

    static String greeting(Path target) throws IOException {
        return Files.readString(target.resolve("greeting"));
    }

    final String stored(String bucket, String key) {
        return witness.getObjectAsBytes(request -> request.bucket(bucket).key(key))
                .asUtf8String();
    }

    final void put(String bucket, String key, String content) {
        witness.putObject(request -> request.bucket(bucket).key(key), RequestBody.fromString(content));
    }

    /** The workload has ended, and kubelet has taken its volume away. */
    final void finish(Pod workload, String volume) {
        node.unpublish(workload, name(volume));
        scenario.becomes(workload, "Succeeded");
    }

    final void await(String what, BooleanSupplier condition) {
        Await.until(
                SOON,
                () -> what + " has not happened within " + SOON + "; "
                        + node.driver().process().story("goes on"),
                condition);
    }

    /** Mounts, Mountpoint Pods, attachments, and what the driver keeps on disk. */
    final void awaitNothingIsLeft() {
        await(
                "everything ends",
                () -> scenario.mountpointPods().isEmpty()
                        && scenario.attachments().isEmpty()
                        && node.mounts().isEmpty());
        kubelet.awaitIdle(SOON);
        await("the driver keeps nothing", () -> kept().isEmpty());
        assertThat(node.mounts()).isEmpty();
    }

    /** What is in the plugin directory, without the directories that hold it. */
    final List<Path> kept() {
        try (Stream<Path> files = Files.walk(node.plugin())) {
            return files.filter(file -> node.plugin().relativize(file).getNameCount() > 1)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
