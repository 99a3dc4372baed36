package s3csi.testbed.semantics;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;
import s3csi.s3.testing.server.S3Server;
import s3csi.testbed.s3.S3Clients;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * A fresh bucket named {@code my-bucket} and a shell for scripts that mount it at {@code /mnt}, just as a user would type them. The
 * shell has mounts and process numbers of its own, so whatever a script mounts or starts ends with it, also when it is killed.
 */
final class Sandbox implements AutoCloseable {
    static final String BUCKET = "my-bucket";

    private final S3Server server;
    private final S3Client client;
    private final BucketSide bucketSide;
    private final Path home = Scratch.directory("sandbox");

    /** What a script printed and how it ended. */
    record Ran(int exit, String output) {}

    Sandbox(S3Server server) {
        this.server = server;
        this.client = S3Clients.root(server);
        client.createBucket(request -> request.bucket(BUCKET));
        this.bucketSide = BucketSide.start(client);
    }

    /** Sees the bucket from outside. */
    S3Client client() {
        return client;
    }

    /** Runs a script of bash to its end; one that takes longer is ended with all it started. */
    Ran run(String script, Duration deadline) {
        Path log = home.resolve(".output");
        Path file = home.resolve(".script");
        write(file, bucketSide.shellFunction() + script);
        // Read as the text of -c, because bash would else name the file in its messages.
        List<String> command = List.of(
                Tools.installed("unshare", "util-linux").toString(),
                "--mount",
                "--pid",
                "--fork",
                "--kill-child",
                "--mount-proc",
                Tools.installed("bash", "bash").toString(),
                "-c",
                "eval \"$(<\"$1\")\"",
                "bash",
                file.toString());
        try (ChildProcess shell = ChildProcess.start(command, environment(), log)) {
            if (!shell.hasEndedWithin(deadline)) {
                shell.kill();
                throw new IllegalStateException(shell.story("has not ended after " + deadline));
            }
            return new Ran(shell.exitCode(), read(log));
        } finally {
            delete(log);
        }
    }

    /** The same, for a script that ends at its first command that fails. */
    Ran runAll(String script, Duration deadline) {
        return run("set -euo pipefail\nexec 2>&1 </dev/null\n" + script, deadline);
    }

    private Map<String, String> environment() {
        Path programs = requireNonNull(Tools.program("mount-s3").getParent(), "a program is in a directory");
        return Map.of(
                "PATH", programs + ":" + System.getenv().getOrDefault("PATH", "/usr/bin:/bin"),
                "HOME", home.toString(),
                "LC_ALL", "C",
                "TZ", "UTC",
                "AWS_ACCESS_KEY_ID", server.root().accessKeyId(),
                "AWS_SECRET_ACCESS_KEY", server.root().secretAccessKey(),
                "AWS_ENDPOINT_URL", server.endpoint().toString(),
                "AWS_REGION", server.region());
    }

    @Override
    public void close() {
        bucketSide.close();
        client.listMultipartUploads(request -> request.bucket(BUCKET))
                .uploads()
                .forEach(upload -> client.abortMultipartUpload(
                        request -> request.bucket(BUCKET).key(upload.key()).uploadId(upload.uploadId())));
        client.listObjectsV2Paginator(request -> request.bucket(BUCKET))
                .contents()
                .forEach(object ->
                        client.deleteObject(request -> request.bucket(BUCKET).key(object.key())));
        client.deleteBucket(request -> request.bucket(BUCKET));
        client.close();
        Scratch.delete(home);
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write " + file, failure);
        }
    }

    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read " + file, failure);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot remove " + file, failure);
        }
    }
}
