package s3csi.testbed.semantics;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;

/**
 * A shell for scripts that mount buckets of a store with {@code mount-s3} as built, just as a user would type them. It has mounts and
 * process numbers of its own, so whatever a script mounts or starts ends with it, also when it is killed.
 */
final class PrivateShell implements AutoCloseable {
    /**
     * Whatever this machine has at /mnt, scripts find an empty directory there, where nothing is mounted. The script itself is read as the
     * text of -c, because bash would else name the file in its messages.
     */
    private static final String ROOT_WITH_EMPTY_MNT = """
            set -e
            mount -t tmpfs tmpfs /mnt
            for each in /*; do
                if [ -L "$each" ]; then
                    cp -a "$each" /mnt/
                elif [ -d "$each" ] && [ "$each" != /mnt ]; then
                    mkdir "/mnt$each" && mount --rbind "$each" "/mnt$each"
                fi
            done
            # Not chroot, in which no user namespace can be made.
            cd /mnt && mkdir mnt old && pivot_root . old && cd / && umount -l /old && rmdir /old
            exec bash -c 'eval "$(<"$1")"' bash "$1"
            """;

    /** What mount-s3 says in the background on a machine without syslog; machines of tests are with or without. */
    private static final String NO_SYSLOG = "(?m)^warning: the log of this mount is lost.*\\n";

    private final Path home = Scratch.directory("sandbox");
    private final Map<String, String> environment;

    /** What a script printed and how it ended. */
    record Ran(int exit, String output) {}

    PrivateShell(URI endpoint, String region, Credentials.Keys keys) {
        Path programs = requireNonNull(Tools.program("mount-s3").getParent(), "a program is in a directory");
        this.environment = Map.of(
                "PATH",
                programs + ":" + System.getenv().getOrDefault("PATH", "/usr/bin:/bin"),
                "HOME",
                home.toString(),
                "LC_ALL",
                "C",
                "TZ",
                "UTC",
                "AWS_ACCESS_KEY_ID",
                keys.accessKeyId(),
                "AWS_SECRET_ACCESS_KEY",
                keys.secretAccessKey(),
                "AWS_ENDPOINT_URL",
                endpoint.toString(),
                "AWS_REGION",
                region);
    }

    /** Runs a script of bash to its end; one that takes longer is ended with all it started. */
    Ran run(String script, Duration deadline) {
        Path log = home.resolve(".output");
        Path file = home.resolve(".script");
        write(file, script);
        List<String> command = List.of(
                Tools.installed("unshare", "util-linux").toString(),
                "--mount",
                "--pid",
                "--fork",
                "--kill-child",
                "--mount-proc",
                Tools.installed("bash", "bash").toString(),
                "-c",
                ROOT_WITH_EMPTY_MNT,
                "bash",
                file.toString());
        try (ChildProcess shell = ChildProcess.start(command, environment, log)) {
            if (!shell.hasEndedWithin(deadline)) {
                shell.kill();
                throw new IllegalStateException(shell.story("has not ended after " + deadline));
            }
            return new Ran(shell.exitCode(), read(log).replaceAll(NO_SYSLOG, ""));
        } finally {
            delete(log);
        }
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

    @Override
    public void close() {
        Scratch.delete(home);
    }
}
