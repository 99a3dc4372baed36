package s3csi.mounter.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import s3csi.fuse.session.SessionEnd;
import s3csi.linux.MountEntry;
import s3csi.linux.MountTable;
import s3csi.linux.Mounts;
import s3csi.mounter.command.MountCommand;
import s3csi.mounter.config.MountConfig;
import s3csi.mounter.metrics.Metrics;
import s3csi.s3.testing.MemoryObjectStore;
import s3csi.s3.testing.ScriptedServer;
import s3csi.s3.testing.StoreScript;

@Tag("engine")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class ServedMountTest {
    private final ScriptedServer store = new ScriptedServer(new StoreScript(new MemoryObjectStore()));

    @TempDir
    private Path scratch;

    private Path mountPoint;

    @BeforeEach
    void makeMountPoint() throws Exception {
        mountPoint = Files.createDirectory(scratch.resolve("mnt")).toRealPath();
    }

    @AfterEach
    void cleanUp() throws Exception {
        while (MountTable.current().topAt(mountPoint).isPresent()) {
            Mounts.unmount(mountPoint, Mounts.Unmount.DETACH);
        }
        store.close();
    }

    private ServedMount start() throws Exception {
        Map<String, String> environment = Map.of(
                "AWS_ACCESS_KEY_ID",
                "id",
                "AWS_SECRET_ACCESS_KEY",
                "secret",
                "AWS_ENDPOINT_URL",
                store.address().toString());
        List<String> arguments = List.of("bucket", mountPoint.toString(), "--foreground", "--no-log");
        return switch (MountCommand.parse(arguments, environment, "1.2.3")) {
            case MountCommand.Mount(MountConfig config) -> ServedMount.start(config, "1.2.3", new Metrics());
            case MountCommand.Print(String text) -> throw new AssertionError("printed instead: " + text);
        };
    }

    /** Whoever unmounts may mount something else at once, while the engine still stores what was closed last. */
    @Test
    void whatIsMountedAtThePlaceAfterItWasUnmountedStays() throws Exception {
        Path other = other();
        ServedMount mount = start();
        assertThat(MountTable.current().topAt(mountPoint).map(MountEntry::type)).contains("fuse");

        Mounts.unmount(mountPoint, Mounts.Unmount.PLAIN);
        assertThat(mount.awaitEnd()).isEqualTo(new SessionEnd.Unmounted());
        Mounts.bind(other, mountPoint);
        mount.close();

        assertThat(mountPoint.resolve("file")).hasContent("of somebody else");
    }

    @Test
    void whatIsMountedAtThePlaceAfterAStopStays() throws Exception {
        Path other = other();
        ServedMount mount = start();

        mount.stop();
        Mounts.bind(other, mountPoint);
        mount.close();

        assertThat(mountPoint.resolve("file")).hasContent("of somebody else");
    }

    private Path other() throws IOException {
        Path other = Files.createDirectory(scratch.resolve("other"));
        Files.writeString(other.resolve("file"), "of somebody else");
        return other;
    }
}
