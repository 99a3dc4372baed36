package s3csi.testbed.sanity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.testbed.csi.ControllerProgram;
import s3csi.testbed.process.ChildProcess;
import s3csi.testbed.process.Scratch;
import s3csi.testbed.process.Tools;
import s3csi.testbed.s3.MinioServer;
import s3csi.testbed.s3.S3Clients;

@Tag("sanity")
final class SanityTest {
    private static final Duration AT_MOST = Duration.ofMinutes(5);

    /** The launcher reads csi-sanity's closing line here. */
    private final Path results = Path.of("target", "sanity").toAbsolutePath();

    @TempDir
    private Path directory;

    @Test
    void controllerPassesAllButWhatItDoesNotClaim() throws IOException {
        if (Files.exists(results)) {
            Scratch.delete(results);
        }
        Files.createDirectories(results);
        try (var store = MinioServer.start();
                var driver = ControllerProgram.start(store, directory);
                var node = NodeStandIn.listenOn(
                        directory.resolve("node.sock"), driver.channel().grpc());
                var client = S3Clients.root(store)) {
            String ending = runCsiSanity(driver.socket(), node.socket());
            SanityReport report = SanityReport.read(results.resolve("junit.xml"));

            assertThat(report.failed()).as(ending).isEmpty();
            assertThat(report.notRun())
                    .as("specs that did not run, against the list of what we do not claim")
                    .containsExactlyInAnyOrderElementsOf(specsOfWhatWeDoNotClaim());
            assertThat(client.listBuckets().buckets()).as("buckets left behind").isEmpty();
        }
    }

    /** Returns the end of what it printed. */
    private String runCsiSanity(Path controller, Path node) {
        try (var sanity = ChildProcess.start(
                List.of(
                        Tools.built("csi-sanity").toString(),
                        "--csi.endpoint=unix://" + node,
                        "--csi.controllerendpoint=unix://" + controller,
                        "--csi.mountdir=" + directory.resolve("mount"),
                        "--csi.stagingdir=" + directory.resolve("staging"),
                        "--ginkgo.skip=Node Service",
                        "--ginkgo.no-color",
                        "--ginkgo.timeout=" + AT_MOST.toSeconds() + "s",
                        "--ginkgo.junit-report=" + results.resolve("junit.xml")),
                Map.of(),
                results.resolve("csi-sanity.log"))) {
            assertThat(sanity.hasEndedWithin(AT_MOST.plusSeconds(30)))
                    .as(() -> sanity.story("is still running"))
                    .isTrue();
            return sanity.story("ended");
        }
    }

    /** One line each: the spec, a bar, the capability that we do not claim. */
    private static List<String> specsOfWhatWeDoNotClaim() throws IOException {
        try (InputStream skips =
                Objects.requireNonNull(SanityTest.class.getResourceAsStream("sanity-skips.txt"), "sanity-skips.txt")) {
            return new String(skips.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> line.substring(0, line.indexOf(" | ")).strip())
                    .toList();
        }
    }
}
