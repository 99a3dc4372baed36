package s3csi.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.provisioner.model.Marks;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.server.MinioServer;
import s3csi.testbed.csi.DriverProgram;
import s3csi.testbed.s3.S3Clients;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Bucket;

/** Controller, driver and store as a cluster has them, without a sidecar. */
@Tag("api")
class ProvisioningOnStoreApiTest {
    private static final Duration AFTER_A_LEASE = Duration.ofSeconds(60);

    private static ControlPlane plane;
    private static Path directory;
    private static MinioServer store;
    private static S3Client witness;
    private static DriverProgram driver;

    @BeforeAll
    static void start() {
        plane = ControlPlane.start();
        directory = Scratch.directory("provisioning");
        store = MinioServer.start();
        witness = S3Clients.root(store);
        // Without keys of its own: what is made is made with those of Secrets.
        Map<String, String> environment = new HashMap<>(DriverProgram.environment(store));
        environment.keySet().removeAll(List.of("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"));
        driver = DriverProgram.start(environment, directory);
    }

    @AfterAll
    static void stop() {
        driver.close();
        witness.close();
        store.close();
        plane.close();
        Scratch.delete(directory);
    }

    private static ControllerProgram controller(String name) {
        return ControllerProgram.start(
                plane.kubeconfig(), directory, name, "--provision", "--csi-address=unix://" + driver.socket(), "--v=6");
    }

    private static ClaimScenario scenario(String name) {
        ClaimScenario scenario = new ClaimScenario(plane.client(), name);
        scenario.storageClass(Map.of(
                "csi.storage.k8s.io/provisioner-secret-name", "${pvc.namespace}-keys",
                "csi.storage.k8s.io/provisioner-secret-namespace", "${pvc.namespace}",
                "csi.storage.k8s.io/node-publish-secret-name", "${pvc.namespace}-keys",
                "csi.storage.k8s.io/node-publish-secret-namespace", "${pvc.namespace}"));
        return scenario;
    }

    private static Map<String, String> rootKeys() {
        return Map.of(
                "access_key_id", store.root().accessKeyId(),
                "secret_access_key", store.root().secretAccessKey());
    }

    private static List<String> buckets() {
        return witness.listBuckets().buckets().stream().map(Bucket::name).toList();
    }

    @Test
    void aBucketComesAndGoesWithItsClaim() {
        ClaimScenario scenario = scenario("store");
        scenario.secret("store", "store-keys", rootKeys());
        try (ControllerProgram controller = controller("comes-and-goes")) {
            PersistentVolumeClaim claim = scenario.claim("data");
            PersistentVolume volume = awaitVolume(scenario, controller, claim);
            String bucket = volume.getSpec().getCsi().getVolumeHandle();
            assertThat(buckets()).contains(bucket);
            assertThat(volume.getSpec().getCsi().getVolumeAttributes())
                    .containsEntry("bucketName", bucket)
                    .containsEntry("authenticationSource", "secret")
                    .containsEntry("dynamicProvisioning", "true")
                    .containsKey(Marks.IDENTITY);
            assertThat(controller.get("/healthz")).isEqualTo("ok\n");
            assertThat(controller.get("/metrics")).contains("s3csi_provisionings_total{outcome=\"done\"}");

            scenario.delete(claim);
            scenario.becomes(volume.getMetadata().getName(), "Released");
            scenario.soon("the bucket is gone", () -> !buckets().contains(bucket));
            scenario.unprotect(volume.getMetadata().getName());
            scenario.soon("the volume is gone", () -> scenario.volume(claim).isEmpty());

            assertThat(controller.log()).doesNotContain(store.root().secretAccessKey());
            assertThat(controller.process().terminateWithin(AFTER_A_LEASE)).isZero();
        }
    }

    @Test
    void wrongKeysAreToldInTheDriversWordsAndMended() {
        ClaimScenario scenario = scenario("wrong");
        scenario.secret(
                "wrong", "wrong-keys", Map.of("access_key_id", "nobody", "secret_access_key", "a-canary-of-a-secret"));
        try (ControllerProgram controller = controller("wrong-keys")) {
            PersistentVolumeClaim claim = scenario.claim("data");
            controller.awaitLeading();
            assertThat(scenario.awaitEvent(claim, "ProvisioningFailed"))
                    .contains("UNAUTHENTICATED")
                    .doesNotContain("a-canary-of-a-secret");
            plane.client().secrets().inNamespace("wrong").withName("wrong-keys").edit(secret -> {
                secret.setStringData(rootKeys());
                return secret;
            });
            awaitVolume(scenario, controller, claim);
            assertThat(controller.log()).doesNotContain("a-canary-of-a-secret");
        }
    }

    @Test
    void aControllerThatIsKilledLeavesNoBucketBehind() {
        ClaimScenario scenario = scenario("killed");
        scenario.secret("killed", "killed-keys", rootKeys());
        List<String> before = buckets();
        List<PersistentVolumeClaim> claims = new ArrayList<>();
        try (ControllerProgram first = controller("killed-first")) {
            first.awaitLeading();
            for (int number = 0; number < 30; number++) {
                claims.add(scenario.claim("data-" + number));
            }
            awaitVolume(scenario, first, claims.getFirst());
            first.process().kill();
        }
        try (ControllerProgram second = controller("killed-second")) {
            claims.forEach(claim -> awaitVolume(scenario, second, claim));
        }
        List<String> made = new ArrayList<>(buckets());
        made.removeAll(before);
        assertThat(made)
                .containsExactlyInAnyOrderElementsOf(claims.stream()
                        .map(claim -> scenario.volume(claim)
                                .orElseThrow()
                                .getSpec()
                                .getCsi()
                                .getVolumeHandle())
                        .toList());
    }

    private static PersistentVolume awaitVolume(
            ClaimScenario scenario, ControllerProgram controller, PersistentVolumeClaim claim) {
        Await.until(
                AFTER_A_LEASE,
                () -> controller
                        .process()
                        .story("made no volume for " + claim.getMetadata().getName()),
                () -> scenario.volume(claim).isPresent());
        return scenario.volume(claim).orElseThrow();
    }
}
