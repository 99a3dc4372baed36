package s3csi.testbed.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.server.S3Server;
import s3csi.testbed.csi.NodeProgram;
import s3csi.testbed.csi.Refusals;
import s3csi.testbed.csi.SecretDirectory;
import s3csi.testbed.s3.S3Clients;
import s3csi.testbed.s3.TcpProxy;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * A server, a node in front of it, a network between the two that can be broken, and a witness who looks at the server past all of it.
 * One of each for a test class; every test uses buckets of its own, and leaves nothing mounted.
 */
@Tag("node")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class NodeStage {
    private static final Duration SOON = Duration.ofSeconds(30);

    final S3Server server = startServer();
    final TcpProxy network = TcpProxy.before(server.endpoint());
    final Credentials.Keys driverKeys = driverKeys();
    final SecretDirectory driverSecret =
            new SecretDirectory(Scratch.directory("secret"), SecretDirectory.content(driverKeys));
    final NodeProgram node = startNode(Map.of());
    final S3Client witness = S3Clients.root(server);

    abstract S3Server startServer();

    /** The keys the driver is given as its own. */
    Credentials.Keys driverKeys() {
        return server.root();
    }

    /** One more node; it knows the store by the network that can be broken. */
    final NodeProgram startNode(Map<String, String> changes, String... options) {
        Map<String, String> environment = new HashMap<>(NodeProgram.environment(server));
        environment.keySet().removeAll(List.of("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"));
        environment.put("AWS_ENDPOINT_URL", network.endpoint().toString());
        environment.put("DRIVER_CREDENTIALS_DIR", driverSecret.path().toString());
        environment.putAll(changes);
        return NodeProgram.start(environment, Scratch.directory("node"), options);
    }

    @AfterEach
    void repair() throws IOException {
        network.pass();
        driverSecret.rotate(driverKeys);
        // A test that failed half-way must not make the others fail.
        for (String workload : workloads()) {
            unpublishWhatever(workload);
        }
    }

    /** Whichever of the volumes on this node is there. */
    private void unpublishWhatever(String workload) throws IOException {
        for (String volume : volumes()) {
            try {
                node.unpublish(volume, workload);
                return;
            } catch (StatusRuntimeException refusal) {
                if (refusal.getStatus().getCode() != Code.NOT_FOUND) {
                    throw refusal;
                }
            }
        }
        node.unpublish("any", workload);
    }

    /** By what their sources were mounted for. */
    private List<String> volumes() throws IOException {
        List<String> volumes = new ArrayList<>();
        for (Path file : sources()) {
            if (file.endsWith("identity")) {
                volumes.add(Files.readAllLines(file).getFirst());
            }
        }
        return volumes;
    }

    @AfterAll
    void close() {
        witness.close();
        node.close();
        network.close();
        server.close();
    }

    /** A bucket with one object, {@code greeting}, that holds the bucket's name. */
    final String bucket(String name) {
        witness.createBucket(request -> request.bucket(name));
        put(name, "greeting", name);
        return name;
    }

    final void put(String bucket, String key, String content) {
        witness.putObject(request -> request.bucket(bucket).key(key), RequestBody.fromString(content));
    }

    static String greeting(Path target) throws IOException {
        return Files.readString(target.resolve("greeting"));
    }

    /** Publishes, which must be refused with the code; returns the words. */
    final String refused(Code code, NodePublishVolumeRequest.Builder request) {
        return Refusals.refused(code, () -> node.node().nodePublishVolume(request.build()));
    }

    /** Publishes for workload {@code a} while the test goes on. */
    final Future<Code> publishInBackground(String bucket) {
        FutureTask<Code> answer = new FutureTask<>(() -> {
            try {
                node.publish(bucket, "a");
                return Code.OK;
            } catch (StatusRuntimeException refusal) {
                return refusal.getStatus().getCode();
            }
        });
        Thread.ofVirtual().start(answer);
        return answer;
    }

    /** Nothing mounted, no engine, no directory: neither of volumes nor of workloads. */
    final void assertNothingIsLeft() throws IOException {
        assertThat(node.mounts())
                .as(() -> "mounts; " + node.driver().process().story("goes on"))
                .isEmpty();
        assertThat(node.engines()).as("engines").isEmpty();
        assertThat(sources()).as("files of sources").isEmpty();
        assertThat(workloads()).as("workloads with a target").isEmpty();
    }

    /** What is in the plugin directory, without the two directories that hold it. */
    final List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(node.plugin())) {
            return files.filter(file -> node.plugin().relativize(file).getNameCount() > 1)
                    .sorted()
                    .toList();
        }
    }

    private List<String> workloads() throws IOException {
        try (Stream<Path> pods = Files.list(node.pods())) {
            return pods.filter(pod -> Files.exists(pod.resolve("mount")))
                    .map(pod -> pod.getFileName().toString())
                    .toList();
        }
    }

    static void await(String what, BooleanSupplier condition) {
        Await.until(SOON, () -> what + " has not happened within " + SOON, condition);
    }
}
