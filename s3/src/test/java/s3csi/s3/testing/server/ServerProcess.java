package s3csi.s3.testing.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;

/** The process of a server: a port for life, a directory for life, and one child after the other. */
final class ServerProcess {
    private static final Duration READY_WITHIN = Duration.ofSeconds(60);
    private static final int PORTS_TO_TRY = 5;

    /** How to run one kind of server. */
    interface Recipe {
        List<String> command(int port);

        Map<String, String> environment();

        /** Answers 200 when the server is ready. */
        URI health(int port);
    }

    private final Recipe recipe;
    private final Path directory;
    private final SSLContext trust;
    private int port;
    private @Nullable ChildProcess child;

    private ServerProcess(Recipe recipe, Path directory, SSLContext trust) {
        this.recipe = recipe;
        this.directory = directory;
        this.trust = trust;
    }

    /** Starts a server on a free port; takes over the directory and removes it when it fails. */
    static ServerProcess start(Recipe recipe, Path directory, SSLContext trust) {
        var server = new ServerProcess(recipe, directory, trust);
        try {
            server.startOnAFreePort();
            return server;
        } catch (RuntimeException failure) {
            server.close();
            throw failure;
        }
    }

    // A port that was free a moment ago can be taken by somebody else before the server binds it.
    private void startOnAFreePort() {
        for (int attempt = 1; ; attempt++) {
            port = freePort();
            try {
                restart();
                return;
            } catch (IllegalStateException failure) {
                if (attempt == PORTS_TO_TRY
                        || !String.valueOf(failure.getMessage()).contains("in use")) {
                    throw failure;
                }
            }
        }
    }

    int port() {
        return port;
    }

    SSLContext trust() {
        return trust;
    }

    Path directory() {
        return directory;
    }

    void restart() {
        stop();
        var started = ChildProcess.start(recipe.command(port), recipe.environment(), directory.resolve("server.log"));
        child = started;
        try (var client = HttpClient.newBuilder()
                .sslContext(trust)
                .connectTimeout(Duration.ofSeconds(2))
                .build()) {
            var request = HttpRequest.newBuilder(recipe.health(port))
                    .timeout(Duration.ofSeconds(5))
                    .build();
            Await.until(READY_WITHIN, () -> started.story("is not ready after " + READY_WITHIN), () -> {
                if (!started.isAlive()) {
                    throw new IllegalStateException(started.story("ended before it was ready"));
                }
                return answersOk(client, request);
            });
        }
    }

    void stop() {
        if (child != null) {
            child.terminate();
            child = null;
        }
    }

    void kill() {
        if (child != null) {
            child.kill();
            child = null;
        }
    }

    long pid() {
        if (child == null) {
            throw new IllegalStateException("the server is stopped");
        }
        return child.pid();
    }

    void close() {
        kill();
        Scratch.delete(directory);
    }

    private static boolean answersOk(HttpClient client, HttpRequest request) {
        try {
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static int freePort() {
        try (var probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot find a free loopback port", failure);
        }
    }
}
