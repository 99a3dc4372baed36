package s3csi.testbed.e2e;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Every file of the examples is applied as a user would, after what its first lines ask for; its pods run, and nothing of it stays. */
class ExamplesE2eTest extends ClusterStage {
    private static final Path EXAMPLES = Path.of("..", "examples");
    private static final List<String> BUCKETS = List.of("example-static", "example-tenant");
    private static final String KEYS =
            "--from-literal=access_key_id=\"$S3_ACCESS_KEY\" --from-literal=secret_access_key=\"$S3_SECRET_KEY\"";

    private final Terminal terminal = new Terminal(cluster);

    /** Those with values of the chart are for Helm. */
    static Stream<String> examples() {
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> !name.endsWith("-values.yaml"))
                    .sorted()
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list the examples", e);
        }
    }

    @BeforeAll
    void prepare() {
        BUCKETS.forEach(bucket -> owner.createBucket(request -> request.bucket(bucket)));
        terminal.run("""
                set -e
                kubectl create namespace team-a
                kubectl create secret generic tenant-keys %1$s
                kubectl --namespace team-a create secret generic s3-keys %1$s
                """.formatted(KEYS));
    }

    @AfterAll
    void tidyUp() {
        terminal.run("kubectl delete namespace team-a; kubectl delete secret tenant-keys");
        BUCKETS.forEach(bucket -> {
            empty(bucket);
            witness.deleteBucket(request -> request.bucket(bucket));
        });
    }

    private void empty(String bucket) {
        for (S3Object object :
                witness.listObjectsV2(request -> request.bucket(bucket)).contents()) {
            witness.deleteObject(request -> request.bucket(bucket).key(object.key()));
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void itsPodsRunAndNothingStays(String example) {
        List<HasMetadata> objects = objects(example);
        terminal.run("kubectl apply -f examples/" + example);
        try {
            objects.forEach(this::awaitRunning);
        } finally {
            objects.stream()
                    .filter(Readiness.getInstance()::isReadinessApplicable)
                    .forEach(this::end);
            boundVolumes(objects).forEach(volume -> {
                await(
                        () -> "Mountpoint Pods of " + volume.getMetadata().getName() + " are left",
                        () -> cluster.attachments(volume.getMetadata().getName())
                                .isEmpty());
                empty(volume.getSpec().getCsi().getVolumeAttributes().get("bucketName"));
            });
            terminal.run("kubectl delete --ignore-not-found -f examples/" + example);
        }
    }

    private List<HasMetadata> objects(String example) {
        try (InputStream file = Files.newInputStream(EXAMPLES.resolve(example))) {
            return client.load(file).items();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + example, e);
        }
    }

    private void awaitRunning(HasMetadata object) {
        if (object instanceof Pod pod) {
            super.awaitRunning(pod);
        } else if (object instanceof Deployment deployment) {
            await(
                    () -> "the deployment has no pods: "
                            + client.resource(deployment).get().getStatus(),
                    () -> Readiness.isDeploymentReady(
                            client.resource(deployment).get()));
        }
    }

    private void end(HasMetadata object) {
        client.resource(object)
                .withPropagationPolicy(DeletionPropagation.FOREGROUND)
                .delete();
        await(
                () -> object.getMetadata().getName() + " does not end",
                () -> client.resource(object).get() == null);
    }

    private List<PersistentVolume> boundVolumes(List<HasMetadata> objects) {
        Set<String> namespaces = objects.stream()
                .map(object -> object.getMetadata().getNamespace())
                .collect(Collectors.toSet());
        return client.persistentVolumes().list().getItems().stream()
                .filter(volume -> volume.getSpec().getClaimRef() != null
                        && namespaces.contains(volume.getSpec().getClaimRef().getNamespace()))
                .toList();
    }
}
