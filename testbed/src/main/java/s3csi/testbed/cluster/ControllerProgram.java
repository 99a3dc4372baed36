package s3csi.testbed.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Tools;

/** The controller as built, with its log in a directory of the caller's. */
public final class ControllerProgram implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Pattern HTTP_PORT = Pattern.compile("\"http\":\"(\\d+)\"");

    private final ChildProcess process;
    private final Path log;

    private ControllerProgram(ChildProcess process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts it without waiting for it; the name tells its log from those of others. */
    public static ControllerProgram start(Path kubeconfig, Path directory, String name, String... options) {
        return start(command(), Map.of(), kubeconfig, directory, name, options);
    }

    /** Starts it by another command than the usual one, such as a JVM with other options, and with more in its environment. */
    public static ControllerProgram start(
            List<String> command,
            Map<String, String> more,
            Path kubeconfig,
            Path directory,
            String name,
            String... options) {
        List<String> line = new ArrayList<>(command);
        line.addAll(List.of(
                "--kubeconfig=" + kubeconfig,
                "--leader-election-namespace=" + ControlPlane.MOUNTPOINT_NAMESPACE,
                "--http-endpoint=127.0.0.1:0"));
        line.addAll(List.of(options));
        Map<String, String> environment = new HashMap<>(Map.of(
                "MOUNTPOINT_NAMESPACE", ControlPlane.MOUNTPOINT_NAMESPACE,
                "MOUNTPOINT_IMAGE", "driver:test",
                "MOUNTPOINT_PRIORITY_CLASS_NAME", ControlPlane.PRIORITY_CLASS));
        environment.putAll(more);
        Path log = directory.resolve(name + ".log");
        return new ControllerProgram(ChildProcess.start(line, environment, log), log);
    }

    /** How it is usually started. */
    public static List<String> command() {
        return List.of(Tools.program("scality-csi-controller").toString());
    }

    public ChildProcess process() {
        return process;
    }

    /** All it printed. */
    public String log() {
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the controller's log", e);
        }
    }

    public boolean leads() {
        return log().contains("this controller leads");
    }

    /** Until it watches, whether it leads or not. */
    public void awaitWatching() {
        awaitSaid("the controller watches");
    }

    public void awaitLeading() {
        awaitSaid("this controller leads");
    }

    private void awaitSaid(String text) {
        Await.until(SOON, () -> process.story("did not say: " + text), () -> {
            if (!process.isAlive()) {
                throw new IllegalStateException(process.story("ended before it said: " + text));
            }
            return log().contains(text);
        });
    }

    /** What it answers at a path such as {@code /metrics}; it chose the port and logged it. */
    public String get(String path) {
        String port = HTTP_PORT
                .matcher(log())
                .results()
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(process.story("did not log its HTTP port")))
                .group(1);
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                    .timeout(Duration.ofSeconds(10))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException failure) {
            throw new UncheckedIOException(process.story("does not answer " + path), failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking for " + path, interrupted);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
