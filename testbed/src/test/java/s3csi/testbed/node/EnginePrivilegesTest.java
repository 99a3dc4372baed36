package s3csi.testbed.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import s3csi.s3.testing.process.Tools;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.S3Server;
import s3csi.testbed.csi.FoundEngine;

/** What an engine may do on its node, and what may be done to it: as little as its work allows. */
final class EnginePrivilegesTest extends NodeStage {
    @Override
    S3Server startServer() {
        return MinioServer.start();
    }

    @Test
    void anEngineHasNoCapabilitiesInAnyOfItsThreadsAndDoesItsWork() throws IOException {
        String bucket = bucket("unprivileged");
        Path target = node.publish(bucket, "a", "cache /anywhere", "allow-delete");
        FoundEngine engine = node.engines().getFirst();

        try (Stream<Path> threads = Files.list(Path.of("/proc", Integer.toString(engine.pid()), "task"))) {
            assertThat(threads.flatMap(EnginePrivilegesTest::privileges).distinct())
                    .containsExactlyInAnyOrder(
                            "CapInh:\t0000000000000000",
                            "CapPrm:\t0000000000000000",
                            "CapEff:\t0000000000000000",
                            "CapBnd:\t0000000000000000",
                            "CapAmb:\t0000000000000000",
                            "NoNewPrivs:\t1");
        }
        assertThat(greeting(target)).isEqualTo(bucket);
        Files.writeString(target.resolve("written"), "by a workload");
        assertThat(witness.getObjectAsBytes(request -> request.bucket(bucket).key("written"))
                        .asUtf8String())
                .isEqualTo("by a workload");
        Files.delete(target.resolve("written"));
        assertThat(Files.readString(engine.comm().resolve("mounter.log"))).doesNotContain("WARN", "ERROR");
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }

    private static Stream<String> privileges(Path thread) {
        try {
            return Files.readAllLines(thread.resolve("status")).stream()
                    .filter(line -> line.startsWith("Cap") || line.startsWith("NoNewPrivs"));
        } catch (IOException failure) {
            if (Files.exists(thread)) {
                throw new UncheckedIOException(failure);
            }
            return Stream.empty();
        }
    }

    /** The kernel writes a core of exactly those processes that others of the same user may look into. */
    @Test
    void theMemoryOfDriverAndEngineIsTheirOwn() throws Exception {
        String bucket = bucket("private");
        node.publish(bucket, "a");

        assertCannotBeLookedInto(node.driver().process().pid());
        assertCannotBeLookedInto(node.engines().getFirst().pid());

        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }

    private static void assertCannotBeLookedInto(long pid) throws Exception {
        Process other = new ProcessBuilder(List.of(
                        Tools.installed("setpriv", "util-linux").toString(),
                        "--inh-caps=-all",
                        "--bounding-set=-all",
                        "--no-new-privs",
                        "cat",
                        "/proc/" + pid + "/environ"))
                .redirectErrorStream(true)
                .start();

        assertThat(new String(other.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8))
                .contains("Permission denied");
        assertThat(other.waitFor()).isNotZero();
    }
}
