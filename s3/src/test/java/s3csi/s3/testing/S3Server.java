package s3csi.s3.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.http.HttpClient;
import s3csi.s3.http.HttpExchange;
import s3csi.s3.http.Origin;
import s3csi.s3.http.ProxySettings;
import s3csi.s3.http.RequestHead;
import s3csi.s3.http.Timeouts;
import s3csi.s3.http.Trust;
import s3csi.s3.signing.RequestSigner;

/**
 * A real S3 server that somebody else wrote, as a child process on a free loopback port with a data directory of its own. Both
 * are gone after {@link #close()}, and the process also when this JVM ends without it.
 */
public final class S3Server implements AutoCloseable {
    public static final Credentials.Keys KEYS = new Credentials.Keys("testaccesskey", "testsecretkey");
    public static final String REGION = "us-east-1";

    private static final long START_LIMIT = TimeUnit.SECONDS.toNanos(30);

    private final String name;
    private final Path home;
    private final Process process;
    private final URI address;
    private final Trust trust;
    private final Thread hook;

    private S3Server(String name, Path home, Process process, URI address, Trust trust) {
        this.name = name;
        this.home = home;
        this.process = process;
        this.address = address;
        this.trust = trust;
        this.hook = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** MinIO, with its data in memory where the machine has a memory file system. */
    public static S3Server minio() {
        return minio(null);
    }

    /** MinIO over TLS. */
    public static S3Server minio(@Nullable TestCertificate certificate) {
        Path home = newHome();
        try {
            int port = freePort();
            Path certificates = Files.createDirectory(home.resolve("certs"));
            if (certificate != null) {
                Files.writeString(certificates.resolve("public.crt"), certificate.certificatePem());
                Files.writeString(certificates.resolve("private.key"), certificate.privateKeyPem());
            }
            List<String> command = List.of(
                    program("minio"),
                    "server",
                    "--quiet",
                    "--address",
                    "127.0.0.1:" + port,
                    "--console-address",
                    "127.0.0.1:" + freePort(),
                    "--certs-dir",
                    certificates.toString(),
                    home.resolve("data").toString());
            return start(
                    "minio",
                    home,
                    command,
                    Map.of(
                            "MINIO_ROOT_USER",
                            KEYS.accessKeyId(),
                            "MINIO_ROOT_PASSWORD",
                            KEYS.secretAccessKey(),
                            "MINIO_BROWSER",
                            "off",
                            "MINIO_UPDATE",
                            "off"),
                    port,
                    certificate);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot prepare minio", e);
        }
    }

    /** The Versity gateway on a directory. */
    public static S3Server versitygw() {
        Path home = newHome();
        try {
            int port = freePort();
            Path data = Files.createDirectory(home.resolve("data"));
            List<String> command = new ArrayList<>(List.of(
                    program("versitygw"),
                    "--port",
                    "127.0.0.1:" + port,
                    "--region",
                    REGION,
                    "--quiet",
                    "--keep-alive",
                    "posix",
                    data.toString()));
            return start(
                    "versitygw",
                    home,
                    command,
                    Map.of("ROOT_ACCESS_KEY", KEYS.accessKeyId(), "ROOT_SECRET_KEY", KEYS.secretAccessKey()),
                    port,
                    null);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot prepare versitygw", e);
        }
    }

    private static S3Server start(
            String name,
            Path home,
            List<String> command,
            Map<String, String> environment,
            int port,
            @Nullable TestCertificate certificate)
            throws IOException {
        Trust trust = Trust.platform();
        if (certificate != null) {
            Path bundle = Files.writeString(home.resolve("ca.pem"), certificate.authorityPem());
            trust = Trust.bundle(bundle, Trust.Bundle.REPLACES);
        }
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("log").toFile());
        builder.environment().putAll(environment);
        builder.environment().put("HOME", home.toString());
        URI address = URI.create((certificate == null ? "http" : "https") + "://127.0.0.1:" + port);
        S3Server server = new S3Server(name, home, builder.start(), address, trust);
        boolean up = false;
        try {
            server.createBucket("ready");
            up = true;
            return server;
        } finally {
            if (!up) {
                server.close();
            }
        }
    }

    private static Path newHome() {
        try {
            Path memory = Path.of("/dev/shm");
            return Files.isWritable(memory)
                    ? Files.createTempDirectory(memory, "s3csi-server")
                    : Files.createTempDirectory("s3csi-server");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a directory for an S3 server", e);
        }
    }

    private static String program(String name) {
        Map<String, String> environment = System.getenv();
        String cache = environment.getOrDefault(
                "S3CSI_CACHE",
                environment.getOrDefault("XDG_CACHE_HOME", environment.getOrDefault("HOME", "") + "/.cache")
                        + "/s3csi");
        Path program = Path.of(cache, "bin", name);
        if (!Files.isExecutable(program)) {
            throw new IllegalStateException(program + " is missing; ./s3csi setup builds it");
        }
        return program.toString();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    public URI address() {
        return address;
    }

    /** What a client needs to believe this server. */
    public Trust trust() {
        return trust;
    }

    public long processId() {
        return process.pid();
    }

    /** Makes a bucket; waits for the server to come up. */
    public void createBucket(String bucket) {
        long deadline = System.nanoTime() + START_LIMIT;
        try (HttpClient client =
                new HttpClient(Origin.of(address), trust, ProxySettings.NONE, Timeouts.DEFAULTS, 1, _ -> {})) {
            IOException last = null;
            int status = 0;
            while (System.nanoTime() < deadline && process.isAlive()) {
                RequestHead request = new RequestHead("PUT", '/' + bucket, "");
                request.header("host", Origin.of(address).authority()).header("content-length", "0");
                new RequestSigner("s3")
                        .sign(request, KEYS, REGION, Clock.systemUTC().instant(), RequestSigner.UNSIGNED_PAYLOAD);
                try (HttpExchange exchange = client.send(request, List.of(), null)) {
                    status = exchange.head().status();
                    if (status == 200) {
                        return;
                    }
                } catch (IOException e) {
                    last = e;
                }
                Thread.sleep(20);
            }
            throw new IllegalStateException(
                    name + " did not make the bucket " + bucket + "; last status " + status + "; it said: " + log(),
                    last);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + name, e);
        }
    }

    private String log() {
        try {
            return Files.readString(home.resolve("log"));
        } catch (IOException e) {
            return "nothing readable (" + e.getMessage() + ')';
        }
    }

    @Override
    public void close() {
        try {
            process.destroy();
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(5, TimeUnit.SECONDS);
            }
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } finally {
            Directories.delete(home);
        }
    }
}
