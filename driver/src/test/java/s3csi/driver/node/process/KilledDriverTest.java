package s3csi.driver.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import s3csi.csi.v1.NodeGrpc;
import s3csi.driver.Main;
import s3csi.driver.grpc.Connection;
import s3csi.driver.node.PublishRequests;
import s3csi.driver.node.kernel.Deadline;

/** A driver that is a process of its own and is killed while it publishes; the next one has to cope. */
@Tag("engine")
class KilledDriverTest {
    private final Node node;
    private final Path socket;

    KilledDriverTest(@TempDir Path scratch) throws IOException {
        node = new Node(scratch);
        socket = scratch.resolve("csi.sock");
    }

    @AfterEach
    void leaveNothing() throws IOException {
        node.close();
    }

    /** What can be seen from outside when the driver is killed. */
    enum Sight {
        DIRECTORIES {
            @Override
            boolean isThere(Node node) {
                return !node.sources().isEmpty();
            }
        },
        ENGINE {
            @Override
            boolean isThere(Node node) throws IOException {
                return !node.engines().isEmpty();
            }
        },
        SOURCE {
            @Override
            boolean isThere(Node node) throws IOException {
                return !node.mounts().isEmpty();
            }
        },
        TARGET {
            @Override
            boolean isThere(Node node) throws IOException {
                return node.mountAt(node.target("a")).isPresent();
            }
        };

        abstract boolean isThere(Node node) throws IOException;
    }

    @ParameterizedTest
    @EnumSource
    void theNextPublishHeals(Sight sight) throws Exception {
        Process driver = startDriver();
        try (Connection connection = Connection.to(socket)) {
            await(() -> Files.exists(socket));
            Thread call = Thread.ofVirtual().start(() -> publish(connection));
            await(() -> sight.isThere(node));
            driver.destroyForcibly().waitFor();
            call.join();
        } finally {
            driver.destroyForcibly();
        }
        node.restartDriver();
        Path target = node.publish("a");
        assertThat(Files.readString(target.resolve(GreetingFileSystem.NAME))).isNotEmpty();
        assertThat(node.engines()).hasSize(1);
        assertThat(node.mounts()).hasSize(2);
        node.unpublish("a").given();
        assertThat(node.mounts()).isEmpty();
        assertThat(node.engines()).isEmpty();
        assertThat(node.sources()).isEmpty();
    }

    private Process startDriver() throws IOException {
        ProcessBuilder driver = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "driver",
                "--mounter=process",
                "--node-id=n1",
                "--http-endpoint=",
                "--endpoint=unix://" + socket,
                "--target-root=" + node.pods,
                "--mounter-command=" + node.command());
        driver.environment().put("HOST_PLUGIN_DIR", node.plugin.toString());
        driver.environment().put("AWS_ENDPOINT_URL", "http://127.0.0.1:1");
        driver.environment().put("AWS_ACCESS_KEY_ID", "DRIVER");
        driver.environment().put("AWS_SECRET_ACCESS_KEY", "canary-of-the-driver");
        return driver.redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Answered or, more likely, broken off. */
    private void publish(Connection connection) {
        try {
            assertThat(NodeGrpc.newBlockingStub(connection.channel())
                            .nodePublishVolume(
                                    PublishRequests.publish(node.target("a")).build()))
                    .isNotNull();
        } catch (StatusRuntimeException e) {
            assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        }
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void await(Condition condition) throws IOException {
        Deadline deadline = Deadline.after(Duration.ofSeconds(30));
        while (!condition.holds()) {
            assertThat(deadline.isOver()).as("within 30 s").isFalse();
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
    }
}
