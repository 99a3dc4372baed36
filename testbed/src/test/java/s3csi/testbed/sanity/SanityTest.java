package s3csi.testbed.sanity;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;
import s3csi.s3.testing.server.MinioServer;
import s3csi.testbed.accepted.AcceptedList;
import s3csi.testbed.csi.DriverProgram;
import s3csi.testbed.csi.NodeProgram;
import s3csi.testbed.s3.S3Clients;

@Tag("sanity")
final class SanityTest {
    private static final Duration AT_MOST = Duration.ofMinutes(5);

    /** The launcher reads csi-sanity's closing line here. */
    private final Path results = Path.of("target", "sanity").toAbsolutePath();

    private final Path directory = Scratch.directory("sanity");

    @Test
    void controllerAndNodePassAllButWhatTheyDoNotClaim() throws IOException {
        if (Files.exists(results)) {
            Scratch.delete(results);
        }
        Files.createDirectories(results);
        try (var store = MinioServer.start();
                var controller = DriverProgram.controller(store, Files.createDirectory(directory.resolve("c")));
                var node = NodeProgram.start(store, Files.createDirectory(directory.resolve("n")));
                var client = S3Clients.root(store)) {
            String ending = runCsiSanity(controller.socket(), node);
            SanityReport report = SanityReport.read(results.resolve("junit.xml"));

            assertThat(report.failed()).as(ending).isEmpty();
            assertThat(report.notRun())
                    .as("specs that did not run, against the list of what we do not claim")
                    .containsExactlyInAnyOrderElementsOf(AcceptedList.names(SanityTest.class, "sanity-skips.txt"));
            assertThat(client.listBuckets().buckets()).as("buckets left behind").isEmpty();
            assertThat(node.mounts()).as("mounts left behind").isEmpty();
            assertThat(node.engines()).as("engines left behind").isEmpty();
            assertThat(node.driver().log()).as("volumes went by real mounts").contains("is mounted at");
        }
    }

    /** Returns the end of what it printed. */
    private String runCsiSanity(Path controller, NodeProgram node) {
        try (var sanity = ChildProcess.start(
                List.of(
                        Tools.built("csi-sanity").toString(),
                        "--csi.endpoint=unix://" + node.driver().socket(),
                        "--csi.controllerendpoint=unix://" + controller,
                        "--csi.mountdir=" + node.pods().resolve("mount"),
                        "--csi.stagingdir=" + node.pods().resolve("staging"),
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
}
