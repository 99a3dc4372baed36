package s3csi.testbed.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import s3csi.csi.v1.NodeGetVolumeStatsRequest;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.csi.v1.VolumeCapability.AccessMode.Mode;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.S3Server;
import software.amazon.awssdk.services.s3.model.S3Object;

/** What a workload may do with its volume, and what it sees of it. */
final class AccessTest extends NodeStage {
    @Override
    S3Server startServer() {
        return MinioServer.start();
    }

    @Test
    void whatIsWrittenIsInTheBucketAndWhatIsInTheBucketIsRead() throws IOException {
        String bucket = bucket("written");
        Path target = node.publish(bucket, "a");

        Files.writeString(target.resolve("new"), "from a workload");

        assertThat(greeting(target)).isEqualTo(bucket);
        assertThat(witness.getObjectAsBytes(request -> request.bucket(bucket).key("new"))
                        .asUtf8String())
                .isEqualTo("from a workload");
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @CsvSource({
        "MULTI_NODE_READER_ONLY, '', false",
        "SINGLE_NODE_READER_ONLY, '', false",
        "MULTI_NODE_MULTI_WRITER, read-only, false",
        "MULTI_NODE_MULTI_WRITER, '', true"
    })
    void readOnlyIsEnforcedByTheKernel(Mode mode, String option, boolean asked) throws IOException {
        String bucket = bucket("ro-" + mode.getNumber() + option + asked);
        NodePublishVolumeRequest.Builder request =
                option.isEmpty() ? node.request(bucket, "a") : node.request(bucket, "a", option);
        request.setReadonly(asked)
                .getVolumeCapabilityBuilder()
                .getAccessModeBuilder()
                .setMode(mode);

        Path target = node.publish(request);

        assertThat(greeting(target)).isEqualTo(bucket);
        assertThatThrownBy(() -> Files.writeString(target.resolve("new"), "no"))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("Read-only file system");
        node.publish(request);
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }

    @Test
    void aReaderAndAWriterShareOneMount() throws IOException {
        String bucket = bucket("reader-writer");
        Path writer = node.publish(bucket, "writer");
        Path reader = node.publish(node.request(bucket, "reader").setReadonly(true));

        Files.writeString(writer.resolve("new"), "shared");

        assertThat(reader.resolve("new")).hasContent("shared");
        assertThatThrownBy(() -> Files.delete(reader.resolve("new"))).hasMessageContaining("Read-only file system");
        assertThat(node.engines()).hasSize(1);
        node.unpublish(bucket, "writer");
        assertThat(reader.resolve("new")).hasContent("shared");
        node.unpublish(bucket, "reader");
        assertNothingIsLeft();
    }

    @Test
    void filesBelongToTheGroupOfTheWorkload() throws IOException {
        String bucket = bucket("grouped");
        put(bucket, "directory/file", "x");
        NodePublishVolumeRequest.Builder request = node.request(bucket, "a");
        request.getVolumeCapabilityBuilder().getMountBuilder().setVolumeMountGroup("4711");

        Path target = node.publish(request);

        assertThat(groupAndMode(target.resolve("greeting"))).isEqualTo(Map.of("gid", 4711, "mode", 0100660));
        assertThat(groupAndMode(target.resolve("directory"))).isEqualTo(Map.of("gid", 4711, "mode", 0040770));
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }

    private static Map<String, Object> groupAndMode(Path path) throws IOException {
        return Files.readAttributes(path, "unix:gid,mode");
    }

    @Test
    void programsThatRestoreTimesOwnersAndModesCopyIntoAVolume() throws IOException {
        String bucket = bucket("attributes");
        Path target = node.publish(bucket, "a", "allow-delete", "allow-overwrite");
        String script = """
                set -e
                mkdir -p tree/sub && echo x > tree/sub/f && chmod 600 tree/sub/f && touch -d 2001-01-01 tree/sub/f tree/sub
                cp -p tree/sub/f "$1/copied" && touch -d 2002-02-02 "$1/copied"
                tar -c tree | tar -x -C "$1" && diff -r tree "$1/tree"
                rsync -a tree/ "$1/synced" && diff -r tree "$1/synced"
                """;

        assertThat(run(script, target)).isEmpty();

        assertThat(keys(bucket)).containsExactly("copied", "greeting", "synced/sub/f", "tree/sub/f");
        node.unpublish(bucket, "a");

        Path strict = node.publish(bucket, "a", "attribute-changes refuse");
        assertThat(run("touch \"$1/copied\" || true", strict)).contains("Operation not permitted");
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }

    /** What a script says that gets a directory as its first argument, run in one of its own. */
    private static String run(String script, Path target) throws IOException {
        Path home = Scratch.directory("script");
        Path log = home.resolve("log");
        String bash = Tools.installed("bash", "bash").toString();
        List<String> command = List.of(bash, "-c", "cd $HOME\n" + script, "bash", target.toString());
        Map<String, String> environment = Map.of("HOME", home.toString(), "LC_ALL", "C", "PATH", "/usr/bin:/bin");
        try (ChildProcess shell = ChildProcess.start(command, environment, log)) {
            assertThat(shell.hasEndedWithin(Duration.ofSeconds(60))).isTrue();
            String said = Files.readString(log);
            assertThat(shell.exitCode()).as(said).isZero();
            return said;
        }
    }

    private List<String> keys(String bucket) {
        return witness.listObjectsV2(request -> request.bucket(bucket)).contents().stream()
                .map(S3Object::key)
                .toList();
    }

    @Test
    void aVolumeTellsHowFullItIs() throws IOException {
        String bucket = bucket("stats");
        Path target = node.publish(bucket, "a");

        var stats = node.node()
                .nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                        .setVolumeId(bucket)
                        .setVolumePath(target.toString())
                        .build());

        assertThat(stats.getVolumeCondition().getAbnormal()).isFalse();
        assertThat(stats.getUsageList())
                .isNotEmpty()
                .allSatisfy(usage -> assertThat(usage.getTotal()).isPositive());
        node.unpublish(bucket, "a");
        assertNothingIsLeft();
    }
}
