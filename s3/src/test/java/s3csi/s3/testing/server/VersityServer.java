package s3csi.s3.testing.server;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;

/** The Versity gateway over a directory: strict about who owns a bucket, with as many accounts as a test wants. */
public final class VersityServer extends LocalServer {
    private static final String REGION = "eu-north-1";
    private static final String HEALTH = "/testbed-health";

    /** What an account may do beyond using what it was given. */
    public enum Role {
        /** Uses buckets, makes none. */
        USER,
        /** Makes buckets of its own. */
        USERPLUS,
        ADMIN
    }

    private VersityServer(ServerProcess process) {
        super(process, "http", REGION);
    }

    public static VersityServer start() {
        Path directory = Scratch.directoryWithAttributes("versity");
        var recipe = new ServerProcess.Recipe() {
            @Override
            public List<String> command(int port) {
                return List.of(
                        Tools.built("versitygw").toString(),
                        "--port",
                        "127.0.0.1:" + port,
                        "--region",
                        REGION,
                        "--health",
                        HEALTH,
                        "--keep-alive",
                        "--iam-dir",
                        directory.resolve("accounts").toString(),
                        // An account that is made or deleted counts at once.
                        "--iam-cache-disable",
                        "posix",
                        directory.resolve("data").toString());
            }

            @Override
            public Map<String, String> environment() {
                return Map.of(
                        "HOME", directory.toString(),
                        "ROOT_ACCESS_KEY", ROOT.accessKeyId(),
                        "ROOT_SECRET_KEY", ROOT.secretAccessKey());
            }

            @Override
            public URI health(int port) {
                return URI.create("http://127.0.0.1:" + port + HEALTH);
            }
        };
        makeDirectories(directory);
        return new VersityServer(ServerProcess.start(recipe, directory, PrivateCa.trustOfTheJdk()));
    }

    /** Makes an account. */
    public Credentials.Keys createAccount(String name, Role role) {
        var keys = new Credentials.Keys(name, name + "-secret");
        admin(
                "create-user",
                "--access",
                keys.accessKeyId(),
                "--secret",
                keys.secretAccessKey(),
                "--role",
                role.name().toLowerCase(Locale.ROOT));
        return keys;
    }

    /** Deletes an account; its keys count for nothing at once. */
    public void deleteAccount(Credentials.Keys keys) {
        admin("delete-user", "--access", keys.accessKeyId());
    }

    public void changeOwner(String bucket, Credentials.Keys owner) {
        admin("change-bucket-owner", "--bucket", bucket, "--owner", owner.accessKeyId());
    }

    private void admin(String... arguments) {
        List<String> command = new ArrayList<>(List.of(Tools.built("versitygw").toString(), "admin"));
        command.addAll(List.of(arguments));
        ChildProcess.run(
                command,
                Map.of(
                        "ADMIN_ACCESS_KEY", ROOT.accessKeyId(),
                        "ADMIN_SECRET_KEY", ROOT.secretAccessKey(),
                        "ADMIN_REGION", REGION,
                        "ADMIN_ENDPOINT_URL", endpoint().toString()),
                process.directory().resolve("admin.log"),
                Duration.ofSeconds(20));
    }

    private static void makeDirectories(Path directory) {
        for (String name : List.of("data", "accounts")) {
            if (!directory.resolve(name).toFile().mkdir()) {
                throw new IllegalStateException("cannot make " + directory.resolve(name));
            }
        }
    }
}
