package s3csi.testbed.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;
import s3csi.s3.testing.server.MinioServer;
import s3csi.testbed.s3.S3Clients;
import software.amazon.awssdk.services.s3.S3Client;

/** What the README has for copying works as it is written there, with another store and another place. */
@Tag("engine")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class ReadmeTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String BUCKET = "my-bucket";

    private static final Pattern MOUNT = Pattern.compile("```\n(export AWS_.*?\n)(umount .*?)\n```", Pattern.DOTALL);
    private static final Pattern HELPER = Pattern.compile("`(ln -s .*?)`");
    private static final Pattern FSTAB = Pattern.compile("```\n(s3://.*?)\n```");

    private static MinioServer server;

    @BeforeAll
    static void start() {
        server = MinioServer.startInMemory();
        server.createBucket(BUCKET);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aBucketIsMountedByTheCommandLine() throws Exception {
        Path scratch = Scratch.directory("readme");
        Matcher commands = found(MOUNT);
        String keys = commands.group(1)
                .replace("_ID=...", "_ID=" + server.root().accessKeyId())
                .replace("_KEY=...", "_KEY=" + server.root().secretAccessKey());

        run(scratch, here(scratch, keys) + write(scratch, "by-command") + here(scratch, commands.group(2)));

        assertThat(objects()).contains("by-command");
    }

    /** In a mount namespace, where the directory of helpers and the entry of root are the test's own. */
    @Test
    void aBucketIsMountedByALineOfFstab() throws Exception {
        Path scratch = Scratch.directory("readme");
        Path keys = Files.createDirectories(scratch.resolve("home/.aws")).resolve("credentials");
        Files.writeString(
                keys,
                "[default]\naws_access_key_id = %s\naws_secret_access_key = %s\n"
                        .formatted(server.root().accessKeyId(), server.root().secretAccessKey()));
        Files.writeString(scratch.resolve("passwd"), "root:x:0:0:root:" + scratch.resolve("home") + ":/bin/sh\n");
        Files.writeString(scratch.resolve("fstab"), here(scratch, found(FSTAB).group(1)) + "\n");

        run(
                scratch,
                """
                mkdir -p mnt/my-bucket changes
                mount -t tmpfs tmpfs changes
                mkdir changes/made changes/work
                mount -t overlay -o lowerdir=/usr/sbin,upperdir=changes/made,workdir=changes/work none /usr/sbin
                mount --bind passwd /etc/passwd
                mount --bind fstab /etc/fstab
                """
                        + here(scratch, found(HELPER).group(1)) + "\n" + here(scratch, "mount /mnt/my-bucket\n")
                        + write(scratch, "by-fstab") + here(scratch, "umount /mnt/my-bucket\n"));

        assertThat(objects()).contains("by-fstab");
    }

    private static Matcher found(Pattern pattern) throws IOException {
        Matcher matcher = pattern.matcher(Files.readString(Path.of("..", "README.md")));
        assertThat(matcher.find()).as("the README has %s", pattern).isTrue();
        return matcher;
    }

    /** With the store of the test, and places that it may use. */
    private static String here(Path scratch, String text) {
        return text.replace("http://store.example:9000", server.endpoint().toString())
                .replace("/mnt/my-bucket", scratch + "/mnt/my-bucket")
                .replace("$PWD/build/bin/", "build/bin/")
                .replace("build/bin/", Tools.program("mount-s3").getParent() + "/");
    }

    private static String write(Path scratch, String name) {
        return here(scratch, "echo hello >/mnt/my-bucket/" + name + "\n");
    }

    private static void run(Path scratch, String script) throws IOException {
        Path file = Files.writeString(scratch.resolve("script"), "set -ex\ncd " + scratch + "\n" + script);
        ChildProcess.run(
                List.of("unshare", "--mount", "bash", file.toString()), Map.of(), scratch.resolve("log"), SOON);
        Scratch.delete(scratch);
    }

    private static List<String> objects() {
        try (S3Client client = S3Clients.root(server)) {
            return client.listObjectsV2(request -> request.bucket(BUCKET)).contents().stream()
                    .map(object -> object.key())
                    .toList();
        }
    }
}
