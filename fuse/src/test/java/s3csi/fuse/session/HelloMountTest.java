package s3csi.fuse.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.fuse.Capability;
import s3csi.fuse.Negotiated;
import s3csi.fuse.sample.HelloFileSystem;
import s3csi.linux.FuseConnection;
import s3csi.linux.Mounts;

@Tag("engine")
class HelloMountTest {
    @Test
    void listsStatsAndReadsThroughTheKernel() throws Exception {
        try (Mounted mount = Mounted.of(new HelloFileSystem())) {
            try (Stream<Path> names = Files.list(mount.root)) {
                assertThat(names).containsExactly(mount.file(HelloFileSystem.NAME));
            }
            assertThat(mount.file(HelloFileSystem.NAME)).content().isEqualTo(HelloFileSystem.TEXT);
            Map<String, Object> status = Files.readAttributes(mount.file(HelloFileSystem.NAME), "unix:*");
            assertThat(status)
                    .containsEntry("size", (long) HelloFileSystem.TEXT.length())
                    .containsEntry("uid", 1234)
                    .containsEntry("gid", 2345)
                    .containsEntry("mode", 0100444)
                    .containsEntry("ino", 2L);
            assertThat(status.get("lastModifiedTime")).hasToString("2026-01-02T03:04:05.123456789Z");
            assertThatThrownBy(() -> Files.size(mount.file("other"))).isInstanceOf(NoSuchFileException.class);
            assertThat(mount.events.failures).isEmpty();
            assertThat(mount.events.refused).isEmpty();
        }
    }

    @Test
    void settlesWhatTheKernelOffers() throws Exception {
        try (Mounted mount = Mounted.of(new HelloFileSystem())) {
            Negotiated terms = mount.session.awaitStarted(Mounted.LONG).orElseThrow();
            assertThat(terms.minor()).isBetween(31, 45);
            assertThat(terms.capabilitySet())
                    .contains(Capability.ASYNC_READ, Capability.MAX_PAGES, Capability.PARALLEL_DIROPS);
            assertThat(terms.maxWrite()).isEqualTo(1 << 20);
        }
    }

    @Test
    void theKernelReadsAheadAsFarAsTheAdministratorSays() throws Exception {
        try (Mounted mount = Mounted.of(new HelloFileSystem())) {
            FuseConnection.of(mount.device).setReadAhead(4096);
            assertThat(Path.of("/sys/class/bdi", mount.device.toString(), "read_ahead_kb"))
                    .hasContent("4096");
        }
    }

    @Test
    void unmountEndsTheSession() throws Exception {
        try (Mounted mount = Mounted.of(new HelloFileSystem())) {
            assertThat(Files.exists(mount.file(HelloFileSystem.NAME))).isTrue();
            mount.unmount();
            assertThat(mount.session.awaitEnd(Mounted.LONG)).contains(new SessionEnd.Unmounted());
        }
    }

    @Test
    void abortOfTheConnectionEndsTheSession() throws Exception {
        try (Mounted mount = Mounted.of(new HelloFileSystem())) {
            Path control = Files.createTempDirectory("s3csi-fusectl");
            Mounts.mountFuseControl(control);
            try {
                FuseConnection connection = new FuseConnection(mount.device, control);
                assertThat(connection.hasControl()).isTrue();
                assertThat(connection.waiting()).isZero();
                connection.abort();
            } finally {
                Mounts.unmount(control, Mounts.Unmount.DETACH);
                Files.delete(control);
            }
            assertThat(mount.session.awaitEnd(Mounted.LONG)).contains(new SessionEnd.Aborted());
        }
    }
}
