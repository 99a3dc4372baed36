package s3csi.s3.testing.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.testing.process.Scratch;

/** MinIO behind an intermediary. Whoever stops or starts it does so with the store; the intermediary stays. */
public final class ProxiedServer implements S3Server {
    private final MinioServer store;
    private final ServerProcess proxy;
    private final String scheme;

    private ProxiedServer(MinioServer store, ServerProcess proxy, String scheme) {
        this.store = store;
        this.proxy = proxy;
        this.scheme = scheme;
    }

    /**
     * Starts both.
     *
     * @param authority of the intermediary's certificate; the store behind it speaks in the clear
     */
    public static ProxiedServer start(Intermediary intermediary, PrivateCa authority) {
        MinioServer store = MinioServer.startInMemory();
        String scheme = intermediary.tls() == null ? "http" : "https";
        try {
            Path directory = Scratch.directory("proxy");
            authority.issueFor("127.0.0.1", "localhost").writeTo(directory, "server.crt", "server.key");
            write(
                    directory.resolve("server.pem"),
                    read(directory.resolve("server.crt")) + read(directory.resolve("server.key")));
            var recipe = new ServerProcess.Recipe() {
                @Override
                public List<String> command(int port) {
                    return intermediary.command(new Intermediary.Place(
                            directory, port, store.endpoint().getPort()));
                }

                @Override
                public Map<String, String> environment() {
                    return Map.of("HOME", directory.toString());
                }

                @Override
                public URI health(int port) {
                    return URI.create(scheme + "://127.0.0.1:" + port + "/minio/health/cluster");
                }
            };
            SSLContext trust = intermediary.tls() == null ? store.trust() : authority.trust();
            return new ProxiedServer(store, ServerProcess.start(recipe, directory, trust), scheme);
        } catch (RuntimeException failure) {
            store.close();
            throw failure;
        }
    }

    static Path write(Path file, String text) {
        try {
            return Files.writeString(file, text);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write " + file, failure);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read " + file, failure);
        }
    }

    @Override
    public URI endpoint() {
        return URI.create(scheme + "://127.0.0.1:" + proxy.port());
    }

    @Override
    public String region() {
        return store.region();
    }

    @Override
    public Credentials.Keys root() {
        return store.root();
    }

    @Override
    public SSLContext trust() {
        return proxy.trust();
    }

    @Override
    public void stop() {
        store.stop();
    }

    @Override
    public void kill() {
        store.kill();
    }

    @Override
    public void restart() {
        store.restart();
    }

    @Override
    public void close() {
        try {
            proxy.close();
        } finally {
            store.close();
        }
    }
}
