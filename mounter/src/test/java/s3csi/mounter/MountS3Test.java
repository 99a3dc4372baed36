package s3csi.mounter;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.linux.Pipe;
import s3csi.program.Release;
import s3csi.s3.testing.Nobody;

/** What the program does before it mounts: as a process, without a store. */
final class MountS3Test {
    @TempDir
    private Path scratch;

    private final Nobody nobody = new Nobody();

    private Program run(String... arguments) throws Exception {
        return Program.start(scratch, Map.of(), arguments);
    }

    @AfterEach
    void close() {
        nobody.close();
    }

    @Test
    void theVersionIsPrinted() throws Exception {
        Program program = run("--version");
        assertThat(program.exitCode()).isZero();
        assertThat(program.printed()).isEqualTo("mount-s3 " + Release.current().version() + "\n");
    }

    @Test
    void keysAreFoundInTheUsersHomeAlsoWhereNoneIsNamed() {
        assertThat(MountS3.withHome(Map.of(), "/home/me")).containsEntry("HOME", "/home/me");
        assertThat(MountS3.withHome(Map.of("HOME", ""), "/home/me")).containsEntry("HOME", "/home/me");
        assertThat(MountS3.withHome(Map.of("HOME", "/elsewhere"), "/home/me")).containsEntry("HOME", "/elsewhere");
    }

    @Test
    void wrongUsageEndsWithTwo() throws Exception {
        Program program = run("bucket");
        assertThat(program.exitCode()).isEqualTo(2);
        assertThat(program.printed()).startsWith("error: ").contains("<DIRECTORY>", "--help");
    }

    @Test
    void whatCannotRunEndsWithOne() throws Exception {
        Program program = run("s3://bucket/a/", scratch.toString(), "--prefix=b/");
        assertThat(program.exitCode()).isEqualTo(1);
        assertThat(program.printed()).startsWith("Error: explicit prefix option not allowed with S3 URI");
    }

    @Test
    void inTheBackgroundTheReasonReachesTheCaller() throws Exception {
        Path missing = scratch.resolve("missing");
        Program program = run("bucket", missing.toString());
        assertThat(program.exitCode()).isEqualTo(1);
        assertThat(program.printed()).isEqualTo("""
                Error: Failed to create mount point

                Caused by:
                    0: mount point %s does not exist
                """.formatted(missing));
    }

    @Test
    void aDirectoryThatIsNotEmptyIsNotHidden() throws Exception {
        Program program = run("bucket", scratch.toString());
        assertThat(program.exitCode()).isEqualTo(1);
        assertThat(program.printed()).contains("mount point " + scratch + " is not empty");
    }

    @Test
    void aDescriptorThatIsNoFuseDeviceIsRefusedInTheBackgroundToo() throws Exception {
        try (Pipe pipe = Pipe.open()) {
            Program program =
                    Program.start(scratch, Map.of(), Map.of(3, pipe.reader()), List.of("bucket", "/dev/fd/3"));
            assertThat(program.exitCode()).isEqualTo(1);
            assertThat(program.printed()).contains("to be a /dev/fuse device file descriptor but got pipe:[");
        }
    }

    @Test
    void aDescriptorThatIsNotOpenIsRefusedInTheBackgroundToo() throws Exception {
        Program program = run("bucket", "/dev/fd/7777");
        assertThat(program.exitCode()).isEqualTo(1);
        assertThat(program.printed()).contains("mount point /dev/fd/7777 is not a valid file descriptor");
    }

    @Test
    void aStoreThatIsNotThereIsNamedAndLogged() throws Exception {
        Path mountPoint = Files.createDirectory(scratch.resolve("mnt"));
        Path logs = scratch.resolve("logs");
        Program program = Program.start(
                scratch,
                Program.keysFor(nobody.endpoint()),
                "bucket",
                mountPoint.toString(),
                "--foreground",
                "--log-directory",
                logs.toString());

        assertThat(program.exitCode()).isEqualTo(1);
        assertThat(program.printed())
                .contains(
                        "INFO main s3csi.mounter.MountS3: mount-s3 "
                                + Release.current().version(),
                        ", Java " + Runtime.version() + " of ",
                        ", Linux " + System.getProperty("os.version"),
                        ", endpoint " + nobody.endpoint()
                                + ", region us-east-1, keys from the environment, started with" + " [bucket, "
                                + mountPoint + ", --foreground, --log-directory, " + logs + "]",
                        "Error: Failed to create S3 client",
                        "0: initial ListObjectsV2 failed for bucket bucket in region us-east-1");
        assertThat(program.printed()).doesNotContain("something");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(logs)))
                .isEqualTo("rwxr-x---");
        try (Stream<Path> files = Files.list(logs)) {
            Path file = files.toList().getFirst();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-r-----");
            assertThat(file).content().contains("mount-s3 ");
        }
    }

    @Test
    void anUnknownProfileIsACredentialsError() throws Exception {
        Program program = Program.start(
                scratch,
                Map.of(
                        "HOME",
                        scratch.toString(),
                        "AWS_ENDPOINT_URL",
                        nobody.endpoint().toString()),
                "bucket",
                Files.createDirectory(scratch.resolve("mnt")).toString(),
                "--profile=INVALID",
                "--foreground",
                "--no-log");
        assertThat(program.exitCode()).isEqualTo(1);
        assertThat(program.printed()).contains("Failed to create S3 client", "no profile INVALID");
    }
}
