package s3csi.testbed.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;
import s3csi.s3.testing.server.MinioServer;
import s3csi.testbed.csi.NodeProgram;
import s3csi.testbed.csi.Refusals;

/** A node whose container was not given the FUSE device. */
@Tag("node")
final class NoFuseTest {
    @Test
    void theDeviceThatIsMissingIsNamed() throws IOException {
        Path directory = Scratch.directory("no-fuse");
        try (MinioServer store = MinioServer.start();
                NodeProgram node = NodeProgram.start(
                        List.of(withoutFuse(directory).toString()), NodeProgram.environment(store), directory)) {
            assertThat(Refusals.refused(Code.FAILED_PRECONDITION, () -> node.publish("any", "a")))
                    .contains("/dev/fuse", "kernel module");
            assertThat(node.engines()).isEmpty();
            assertThat(node.pods()).isEmptyDirectory();
        }
    }

    /** The driver in a mount namespace of its own, whose device directory has only what a JVM needs. */
    private static Path withoutFuse(Path directory) throws IOException {
        Path devices = Files.createDirectory(directory.resolve("dev"));
        String script = """
                #!/bin/sh
                set -e
                mount --make-rprivate /
                mount -t tmpfs none '%1$s'
                cp -a /dev/null /dev/zero /dev/random /dev/urandom '%1$s'
                mount --bind '%1$s' /dev
                exec '%2$s' "$@"
                """.formatted(devices, Tools.program("scality-s3-csi-driver"));
        Path inside = Files.writeString(directory.resolve("inside"), script);
        Path outside =
                Files.writeString(directory.resolve("driver"), "#!/bin/sh\nexec unshare -m '" + inside + "' \"$@\"\n");
        for (Path file : new Path[] {inside, outside}) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        return outside;
    }
}
