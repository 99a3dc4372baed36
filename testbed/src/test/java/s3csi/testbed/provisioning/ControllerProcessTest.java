package s3csi.testbed.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static s3csi.testbed.csi.Refusals.refused;

import io.grpc.Status;
import io.grpc.Status.Code;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import s3csi.csi.v1.GetPluginInfoRequest;
import s3csi.csi.v1.Volume;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.server.MinioServer;
import s3csi.testbed.csi.DriverProgram;
import s3csi.testbed.s3.S3Clients;
import s3csi.testbed.s3.TcpProxy;
import software.amazon.awssdk.services.s3.S3Client;

/** How the process starts, stops, crashes and heals. */
@Tag("s3")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ControllerProcessTest {
    private static final Duration STOPS_WITHIN = Duration.ofSeconds(3);
    private static final Duration SOON = Duration.ofSeconds(20);

    private final MinioServer server = MinioServer.start();
    private final TcpProxy network = TcpProxy.before(server.endpoint());
    private final S3Client witness = S3Clients.root(server);

    @AfterAll
    void close() {
        witness.close();
        network.close();
        server.close();
    }

    @Test
    void theSocketIsForItsOwnerOnly(@TempDir Path directory) throws IOException {
        try (DriverProgram driver = start(directory)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(driver.socket())))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void aSocketThatACrashLeftIsReplaced(@TempDir Path directory) throws IOException {
        try (var dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(directory.resolve("csi.sock")));
        }
        try (DriverProgram driver = start(directory)) {
            assertThatItServes(driver);
        }
    }

    @Test
    void aFileThatIsNoSocketIsNotReplaced(@TempDir Path directory) throws IOException {
        Path precious = Files.writeString(directory.resolve("csi.sock"), "precious");

        assertThatThrownBy(() -> start(directory).close())
                .hasMessageContaining("exit code 1")
                .hasMessageContaining("is no socket");
        assertThat(precious).hasContent("precious");
    }

    @Test
    void aSocketThatIsDeletedComesBack(@TempDir Path directory) {
        try (DriverProgram driver = start(directory)) {
            assertThat(driver.health()).isEqualTo(200);

            // The watchman may be quicker than one look, so the socket is taken away until the look sees it.
            Await.until(SOON, () -> "never unhealthy", () -> {
                delete(driver.socket());
                return driver.health() == 503;
            });
            Await.until(SOON, () -> "never healthy again", () -> driver.health() == 200);

            assertThat(driver.socket()).exists();
            assertThatItServes(driver);
        }
    }

    @Test
    void itStopsWhenTold(@TempDir Path directory) {
        try (DriverProgram driver = start(directory)) {
            assertThatItServes(driver);

            assertThat(driver.process().terminateWithin(STOPS_WITHIN)).isZero();
            assertThat(driver.socket()).doesNotExist();
        }
    }

    @Test
    void itStopsWhenToldThoughACallIsStuckAndTheNextProcessFinishesIt(@TempDir Path directory)
            throws InterruptedException {
        try (DriverProgram driver = start(directory);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThatItServes(driver);
            network.blackhole();
            List<Future<Volume>> calls = List.of(
                    callers.submit(() -> create(driver, "pvc-stuck-at-the-end")),
                    callers.submit(() -> create(driver, "pvc-stuck-at-the-end")));
            Await.until(SOON, () -> "no call is stuck", () -> calls.stream().anyMatch(Future::isDone));

            assertThat(driver.process().terminateWithin(STOPS_WITHIN)).isZero();

            assertThat(driver.socket()).doesNotExist();
            assertThat(List.of(codeOf(calls.get(0)), codeOf(calls.get(1))))
                    .contains(Code.ABORTED)
                    .containsAnyOf(Code.UNAVAILABLE, Code.CANCELLED);
        } finally {
            network.pass();
        }
        try (DriverProgram next = start(directory)) {
            String bucket = create(next, "pvc-stuck-at-the-end").getVolumeId();
            assertThat(witness.listBuckets().buckets())
                    .filteredOn(b -> b.name().equals(bucket))
                    .hasSize(1);
        }
    }

    @Test
    void afterACrashTheNextProcessTakesOver(@TempDir Path directory) {
        Volume volume;
        try (DriverProgram driver = start(directory)) {
            volume = create(driver, "pvc-before-the-crash");
            driver.process().kill();
            assertThat(driver.socket()).exists();
        }
        try (DriverProgram next = start(directory)) {
            assertThat(create(next, "pvc-before-the-crash")).isEqualTo(volume);
            assertThat(next.health()).isEqualTo(200);
        }
    }

    @Test
    void everyLineOfTheLogIsJsonAndAFailedCallIsOneOfThem(@TempDir Path directory) {
        try (DriverProgram driver = start(directory)) {
            refused(Code.INVALID_ARGUMENT, () -> create(driver, "line\nbreak"));

            assertThat(JsonLines.parse(driver.log()))
                    .allSatisfy(line -> assertThat(line).containsKeys("ts", "level", "v", "caller", "msg"))
                    .filteredOn(line -> "error".equals(line.get("level")))
                    .singleElement()
                    .satisfies(line -> assertThat(line)
                            .containsEntry("method", "CreateVolume")
                            .containsEntry("code", "INVALID_ARGUMENT")
                            .containsEntry("cause", "invalid-field"));
        }
    }

    @Test
    void metricsCountCallsAndTheirCauses(@TempDir Path directory) {
        try (DriverProgram driver = start(directory)) {
            assertThatItServes(driver);
            refused(Code.INVALID_ARGUMENT, () -> create(driver, ""));

            assertThat(driver.metrics())
                    .contains("s3csi_rpc_seconds_count{code=\"OK\",method=\"GetPluginInfo\"} 1")
                    .contains("s3csi_rpc_seconds_count{code=\"INVALID_ARGUMENT\",method=\"CreateVolume\"} 1")
                    .contains("s3csi_rpc_failures_total{cause=\"invalid-field\",method=\"CreateVolume\"} 1");
        }
    }

    private DriverProgram start(Path directory) {
        Map<String, String> environment = new HashMap<>(DriverProgram.environment(server));
        environment.put("AWS_ENDPOINT_URL", network.endpoint().toString());
        return DriverProgram.start(environment, directory);
    }

    private static void assertThatItServes(DriverProgram driver) {
        assertThat(driver.channel()
                        .identity()
                        .getPluginInfo(GetPluginInfoRequest.getDefaultInstance())
                        .getName())
                .isEqualTo("s3.csi.scality.com");
    }

    private static Volume create(DriverProgram driver, String name) {
        return driver.channel()
                .controller()
                .createVolume(Requests.create(name).build())
                .getVolume();
    }

    private static Code codeOf(Future<?> call) throws InterruptedException {
        try {
            call.get();
            return Code.OK;
        } catch (ExecutionException failure) {
            return Status.fromThrowable(failure).getCode();
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException failure) {
            throw new AssertionError("cannot delete " + file, failure);
        }
    }
}
