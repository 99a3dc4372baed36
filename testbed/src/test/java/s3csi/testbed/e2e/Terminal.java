package s3csi.testbed.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;
import s3csi.testbed.cluster.LiveCluster;

/**
 * A user's shell in the directory of the project, with {@code kubectl} and {@code helm} for the running cluster. What the chart has to be
 * told in any such cluster, whose nodes reach no registry and whose store may have a certificate of its own, is added to what a user says.
 */
final class Terminal {
    private static final Duration WITHIN = Duration.ofMinutes(5);
    private final LiveCluster cluster;

    Terminal(LiveCluster cluster) {
        this.cluster = cluster;
    }

    /** What a script printed. */
    String run(String script) {
        Path directory = Scratch.directory("terminal");
        try {
            command(directory, "helm", """
                    #!/bin/sh
                    case "$1" in
                        install | upgrade) exec %s "$@" --values %s ;;
                        *) exec %1$s "$@" ;;
                    esac
                    """.formatted(Tools.built("helm"), cluster.chartValues()));
            Files.createSymbolicLink(directory.resolve("kubectl"), Tools.built("kubectl"));
            Path printed = directory.resolve("printed");
            ProcessBuilder shell = new ProcessBuilder("bash", "-c", script)
                    .directory(Path.of("..").toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(printed.toFile());
            shell.environment()
                    .putAll(Map.of(
                            "PATH", directory + ":" + System.getenv("PATH"),
                            "KUBECONFIG", cluster.kubeconfig().toString(),
                            "S3_ENDPOINT", cluster.endpoint().toString(),
                            "S3_ACCESS_KEY", cluster.driver().accessKeyId(),
                            "S3_SECRET_KEY", cluster.driver().secretAccessKey()));
            Process process = shell.start();
            boolean hasEnded = process.waitFor(WITHIN.toSeconds(), TimeUnit.SECONDS);
            if (!hasEnded) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            String text = Files.readString(printed).strip();
            if (!hasEnded || process.exitValue() != 0) {
                throw new IllegalStateException("%s: %s%nprinted: %s"
                        .formatted(hasEnded ? "failed with " + process.exitValue() : "did not end", script, text));
            }
            return text;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run a shell", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a shell ran", e);
        } finally {
            Scratch.delete(directory);
        }
    }

    private static void command(Path directory, String name, String text) throws IOException {
        Path file = Files.writeString(directory.resolve(name), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
