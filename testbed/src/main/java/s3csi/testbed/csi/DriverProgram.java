package s3csi.testbed.csi;

import io.grpc.StatusRuntimeException;
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
import s3csi.csi.v1.IdentityGrpc;
import s3csi.csi.v1.ProbeRequest;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Tools;
import s3csi.s3.testing.server.S3Store;

/** The driver as built, with its socket and log in a directory of the caller's; its environment says in which role. */
public final class DriverProgram implements AutoCloseable {
    private static final Duration READY_WITHIN = Duration.ofSeconds(60);
    private static final Pattern HTTP_PORT = Pattern.compile("\"http\":\"(\\d+)\"");

    private final Path socket;
    private final Path log;
    private final ChildProcess process;
    private final CsiChannel channel;

    private DriverProgram(Path socket, Path log, ChildProcess process) {
        this.socket = socket;
        this.log = log;
        this.process = process;
        this.channel = CsiChannel.to(socket);
    }

    /** Starts it as the controller, with the store's root keys as its own. */
    public static DriverProgram controller(S3Store store, Path directory) {
        return start(environment(store), directory);
    }

    /** What the controller is told about a store. */
    public static Map<String, String> environment(S3Store store) {
        Map<String, String> environment = new HashMap<>();
        environment.put("CSI_CONTROLLER_ONLY", "true");
        environment.put("CSI_NODE_NAME", "controller");
        environment.put("AWS_ENDPOINT_URL", store.endpoint().toString());
        environment.put("AWS_REGION", store.region());
        environment.put("AWS_ACCESS_KEY_ID", store.root().accessKeyId());
        environment.put("AWS_SECRET_ACCESS_KEY", store.root().secretAccessKey());
        return environment;
    }

    public static DriverProgram start(Map<String, String> environment, Path directory, String... options) {
        return start(List.of(Tools.program("scality-s3-csi-driver").toString()), environment, directory, options);
    }

    /** Starts it by another command than the usual one, such as a JVM with other options. */
    public static DriverProgram start(
            List<String> command, Map<String, String> environment, Path directory, String... options) {
        Path log = directory.resolve("driver.log");
        ChildProcess process = launch(command, environment, directory, log, options);
        DriverProgram program = new DriverProgram(socketIn(directory), log, process);
        try {
            Await.until(
                    READY_WITHIN, () -> program.process.story("is not ready after " + READY_WITHIN), program::isReady);
            return program;
        } catch (RuntimeException failure) {
            program.close();
            throw failure;
        }
    }

    private static Path socketIn(Path directory) {
        return directory.resolve("csi.sock");
    }

    /** Starts it without waiting for it. */
    static ChildProcess launch(
            List<String> command, Map<String, String> environment, Path directory, Path log, String... options) {
        List<String> line = new ArrayList<>(command);
        line.addAll(List.of("--endpoint=unix://" + socketIn(directory), "--http-endpoint=127.0.0.1:0"));
        line.addAll(List.of(options));
        return ChildProcess.start(line, environment, log);
    }

    public Path socket() {
        return socket;
    }

    public CsiChannel channel() {
        return channel;
    }

    public ChildProcess process() {
        return process;
    }

    /** All it printed. */
    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the driver's log", e);
        }
    }

    /** Where health and metrics are served; the driver chose the port and logged it, after what an earlier one logged. */
    public URI http() {
        String port = HTTP_PORT
                .matcher(log())
                .results()
                .reduce((earlier, later) -> later)
                .orElseThrow(() -> new IllegalStateException(process.story("did not log its HTTP port")))
                .group(1);
        return URI.create("http://127.0.0.1:" + port);
    }

    /** What {@code /metrics} shows now. */
    public String metrics() {
        return get("/metrics").body();
    }

    /** The status that {@code /healthz} answers now. */
    public int health() {
        return get("/healthz").statusCode();
    }

    private HttpResponse<String> get(String path) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(http().resolve(path))
                            .timeout(Duration.ofSeconds(10))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException failure) {
            throw new UncheckedIOException(process.story("does not answer " + path), failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking for " + path, interrupted);
        }
    }

    private boolean isReady() {
        if (!process.isAlive()) {
            throw new IllegalStateException(process.story("ended before it was ready"));
        }
        if (!Files.exists(socket)) {
            return false;
        }
        try {
            return IdentityGrpc.newBlockingStub(channel.grpc())
                    .withDeadlineAfter(Duration.ofSeconds(5))
                    .probe(ProbeRequest.getDefaultInstance())
                    .getReady()
                    .getValue();
        } catch (StatusRuntimeException notYet) {
            return false;
        }
    }

    @Override
    public void close() {
        channel.close();
        process.close();
    }
}
