package s3csi.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;

/** The controller as a process of its own. */
@Tag("api")
class ControllerProgramApiTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Pattern HTTP_PORT = Pattern.compile("\"http\":\"(\\d+)\"");

    private static ControlPlane plane;
    private static Path directory;

    @BeforeAll
    static void start() {
        plane = ControlPlane.start();
        directory = Scratch.directory("controllers");
    }

    @AfterAll
    static void stop() {
        plane.close();
        Scratch.delete(directory);
    }

    private record Program(ChildProcess process, Path log) implements AutoCloseable {
        boolean said(String text) {
            try {
                return Files.readString(log).contains(text);
            } catch (IOException e) {
                return false;
            }
        }

        void awaitSaid(String text) {
            Await.until(SOON, () -> process.story("did not say: " + text), () -> said(text));
        }

        boolean leads() {
            return said("this controller leads");
        }

        String get(String path) throws IOException, InterruptedException {
            Matcher port = HTTP_PORT.matcher(Files.readString(log));
            assertThat(port.find()).isTrue();
            try (HttpClient client = HttpClient.newHttpClient()) {
                return client.send(
                                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.group(1) + path))
                                        .build(),
                                HttpResponse.BodyHandlers.ofString())
                        .body();
            }
        }

        @Override
        public void close() {
            process.close();
        }
    }

    private static Program program(String name) {
        Path log = directory.resolve(name + ".log");
        return new Program(
                ChildProcess.start(
                        List.of(
                                Tools.ofTheJdk("java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "s3csi.reconciler.Main",
                                "scality-csi-controller",
                                "--kubeconfig=" + plane.kubeconfig(),
                                "--leader-election-namespace=" + ControlPlane.MOUNTPOINT_NAMESPACE,
                                "--http-endpoint=127.0.0.1:0"),
                        Map.of(
                                "MOUNTPOINT_NAMESPACE", ControlPlane.MOUNTPOINT_NAMESPACE,
                                "MOUNTPOINT_IMAGE", "driver:test",
                                "MOUNTPOINT_PRIORITY_CLASS_NAME", ControlPlane.PRIORITY_CLASS),
                        log),
                log);
    }

    @Test
    void aControllerThatIsKilledOrStoppedIsFollowedByTheOneThatWaits() throws Exception {
        Scenario scenario = new Scenario(plane.client(), "program");
        scenario.boundVolume("pv");
        try (Program first = program("first")) {
            first.awaitSaid("this controller leads");
            try (Program second = program("second")) {
                second.awaitSaid("the controller watches");
                Pod before = scenario.workload("before", "n", "pv");
                scenario.soon("the first serves", () -> scenario.isServed(before));
                assertThat(second.leads()).isFalse();
                assertThat(first.get("/healthz")).isEqualTo("ok\n");
                assertThat(first.get("/metrics"))
                        .contains("s3csi_attachments 1.0")
                        .contains("s3csi_mountpoint_pods 1.0")
                        .contains("s3csi_reconciles_total{outcome=\"done\"}");
                first.process().kill();
                Pod after = scenario.workload("after", "n", "pv");
                // Its lease has to end first.
                second.awaitSaid("this controller leads");
                scenario.soon("the second serves", () -> scenario.isServed(before, after));
                assertThat(second.process().terminateWithin(SOON)).isZero();
                assertThat(plane.client()
                                .leases()
                                .inNamespace(ControlPlane.MOUNTPOINT_NAMESPACE)
                                .withName("scality-csi-controller")
                                .get()
                                .getSpec()
                                .getLeaseDurationSeconds())
                        .as("it was given back: another need not wait longer")
                        .isEqualTo(1);
            }
        }
    }
}
