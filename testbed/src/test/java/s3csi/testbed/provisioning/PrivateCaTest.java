package s3csi.testbed.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.testbed.csi.Refusals.refused;

import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.PrivateCa;
import s3csi.testbed.csi.DriverProgram;
import s3csi.testbed.s3.S3Clients;
import s3csi.testbed.s3.TcpProxy;
import software.amazon.awssdk.services.s3.S3Client;

/** A store whose certificate only a private CA vouches for. */
@Tag("s3")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PrivateCaTest {
    private final PrivateCa authority = PrivateCa.create();
    private final PrivateCa stranger = PrivateCa.create();
    private final MinioServer server = MinioServer.startWithTls(authority);
    private final TcpProxy network = TcpProxy.before(server.endpoint());

    @TempDir
    private Path directory;

    @AfterAll
    void close() {
        network.close();
        server.close();
    }

    @Test
    void withoutTheCaTheStoreIsNotTrustedAndTheRemedyIsNamed() {
        try (DriverProgram driver = start(Map.of());
                S3Client witness = S3Clients.root(server)) {
            int before = witness.listBuckets().buckets().size();
            assertThat(refused(Code.FAILED_PRECONDITION, () -> create(driver, "pvc-no-ca")))
                    .contains(
                            "AWS_CA_BUNDLE",
                            "tls.caCertConfigMap",
                            network.endpoint().toString());
            assertThat(witness.listBuckets().buckets()).hasSize(before);
        }
    }

    @Test
    void withTheCaItWorks() throws IOException {
        Path bundle = Files.writeString(directory.resolve("ca.pem"), authority.certificatePem());
        try (DriverProgram driver = start(Map.of("AWS_CA_BUNDLE", bundle.toString()))) {
            create(driver, "pvc-ca");
        }
    }

    @Test
    void aSwappedCaCountsForTheNextConnectionWithoutARestart() throws IOException {
        Path bundle = Files.writeString(directory.resolve("swapped.pem"), authority.certificatePem());
        try (DriverProgram driver = start(Map.of("AWS_CA_BUNDLE", bundle.toString()))) {
            create(driver, "pvc-swap-1");

            replace(bundle, stranger.certificatePem());
            assertThat(refused(Code.FAILED_PRECONDITION, () -> create(driver, "pvc-swap-2")))
                    .contains("AWS_CA_BUNDLE");

            replace(bundle, authority.certificatePem());
            create(driver, "pvc-swap-2");
        }
    }

    @Test
    void aBundleThatIsBrokenWhileRunningLeavesTheLastGoodOne() throws IOException {
        Path bundle = Files.writeString(directory.resolve("broken.pem"), authority.certificatePem());
        try (DriverProgram driver = start(Map.of("AWS_CA_BUNDLE", bundle.toString()))) {
            create(driver, "pvc-broken-1");

            replace(bundle, "not a certificate");
            create(driver, "pvc-broken-2");
            assertThat(driver.log()).contains("the last good one stays in use");
        }
    }

    /** Replaces the file as kubelet does, and cuts what was connected under the old one. */
    private void replace(Path bundle, String content) throws IOException {
        Path fresh = Files.writeString(directory.resolve("fresh.pem"), content);
        Files.move(fresh, bundle, StandardCopyOption.ATOMIC_MOVE);
        network.pass();
    }

    private DriverProgram start(Map<String, String> changes) {
        Map<String, String> environment = new HashMap<>(DriverProgram.environment(server));
        environment.put("AWS_ENDPOINT_URL", network.endpoint().toString());
        environment.putAll(changes);
        return DriverProgram.start(environment, Scratch.directory("driver"));
    }

    private static String create(DriverProgram driver, String name) {
        return driver.channel()
                .controller()
                .createVolume(Requests.create(name).build())
                .getVolume()
                .getVolumeId();
    }
}
