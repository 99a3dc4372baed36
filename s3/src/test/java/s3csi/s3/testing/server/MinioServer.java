package s3csi.s3.testing.server;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;

/** MinIO: fast and complete, with a token service. */
public final class MinioServer extends LocalServer {
    public static final String REGION = "us-east-1";

    private MinioServer(ServerProcess process, String scheme) {
        super(process, scheme, REGION);
    }

    public static MinioServer start() {
        return start(Scratch.directory("minio"), null, PrivateCa.trustOfTheJdk());
    }

    /** Keeps its data in memory, so that a measurement does not show a disk. */
    public static MinioServer startInMemory() {
        return start(Scratch.directoryInMemory("minio"), null, PrivateCa.trustOfTheJdk());
    }

    /** Speaks TLS only, with a certificate of the given authority for the loopback address. */
    public static MinioServer startWithTls(PrivateCa authority) {
        return start(Scratch.directory("minio"), authority.issueFor("127.0.0.1", "localhost"), authority.trust());
    }

    /** As {@link #startWithTls}, with its data in memory. */
    public static MinioServer startInMemoryWithTls(PrivateCa authority) {
        return start(
                Scratch.directoryInMemory("minio"), authority.issueFor("127.0.0.1", "localhost"), authority.trust());
    }

    private static MinioServer start(Path directory, @Nullable ServerCertificate certificate, SSLContext trust) {
        String scheme = certificate == null ? "http" : "https";
        if (certificate != null) {
            certificate.writeTo(directory.resolve("certs"), "public.crt", "private.key");
        }
        var recipe = new ServerProcess.Recipe() {
            @Override
            public List<String> command(int port) {
                var command = new ArrayList<>(List.of(
                        Tools.built("minio").toString(), "server", "--quiet", "--address", "127.0.0.1:" + port));
                if (certificate != null) {
                    command.addAll(
                            List.of("--certs-dir", directory.resolve("certs").toString()));
                }
                command.add(directory.resolve("data").toString());
                return command;
            }

            @Override
            public Map<String, String> environment() {
                return Map.of(
                        "HOME",
                        directory.toString(),
                        "MINIO_ROOT_USER",
                        ROOT.accessKeyId(),
                        "MINIO_ROOT_PASSWORD",
                        ROOT.secretAccessKey(),
                        "MINIO_BROWSER",
                        "off",
                        // It would ask the vendor's site for updates; nothing here talks beyond loopback.
                        "MINIO_UPDATE",
                        "off",
                        "MINIO_CALLHOME_ENABLE",
                        "off");
            }

            // What MinIO calls ready answers before it has loaded buckets and accounts; until then it refuses calls.
            @Override
            public URI health(int port) {
                return URI.create(scheme + "://127.0.0.1:" + port + "/minio/health/cluster");
            }
        };
        return new MinioServer(ServerProcess.start(recipe, directory, trust), scheme);
    }

    /**
     * Makes an account.
     *
     * @param policy one that MinIO has from the start: {@code readonly}, {@code writeonly}, {@code readwrite}
     */
    public Credentials.Keys createAccount(String name, String policy) {
        return MinioAccounts.create(this, name, policy);
    }

    /** The process that serves now. */
    public long pid() {
        return process.pid();
    }
}
