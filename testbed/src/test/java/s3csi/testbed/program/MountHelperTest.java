package s3csi.testbed.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.linux.MountTable;
import s3csi.linux.Mounts;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;
import s3csi.s3.testing.server.MinioServer;
import s3csi.testbed.s3.S3Clients;
import software.amazon.awssdk.services.s3.S3Client;

/** The name by which mount(8) finds the program for a line of fstab. */
@Tag("engine")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class MountHelperTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    /** It has no locale, as programs that mount(8) starts at boot have none. */
    @ParameterizedTest
    @ValueSource(strings = {"mount", "käse und 日本語"})
    void theHelperMountsWhatALineOfFstabSays(String name) throws Exception {
        Path home = Scratch.directory("fstab");
        Path mount = Files.createDirectory(home.resolve(name)).toRealPath();
        try (MinioServer server = MinioServer.start();
                S3Client client = S3Clients.root(server)) {
            client.createBucket(request -> request.bucket("of-fstab"));
            ChildProcess.run(
                    List.of(
                            Tools.program("mount.mount-s3").toString(),
                            "of-fstab",
                            mount.toString(),
                            "-o",
                            "_netdev,allow-other,no-log,endpoint-url=" + server.endpoint() + ",region="
                                    + server.region()),
                    Map.of(
                            "AWS_ACCESS_KEY_ID", server.root().accessKeyId(),
                            "AWS_SECRET_ACCESS_KEY", server.root().secretAccessKey()),
                    home.resolve("log"),
                    SOON);
            assertThat(MountTable.current().topAt(mount).orElseThrow().source()).isEqualTo("mountpoint-s3");
            Files.writeString(mount.resolve("file"), "content");
            assertThat(mount.resolve("file")).hasContent("content");
            Mounts.unmount(mount, Mounts.Unmount.PLAIN);
        } finally {
            Scratch.delete(home);
        }
    }
}
