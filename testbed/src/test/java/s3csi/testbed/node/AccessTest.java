package s3csi.testbed.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import s3csi.csi.v1.NodeGetVolumeStatsRequest;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.csi.v1.VolumeCapability.AccessMode.Mode;
import s3csi.testbed.s3.MinioServer;
import s3csi.testbed.s3.S3Server;

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
