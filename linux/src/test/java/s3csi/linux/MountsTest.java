package s3csi.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("engine")
class MountsTest {
    private Path directory = Path.of("/");

    @BeforeEach
    void makeDirectory() throws IOException {
        directory = Files.createTempDirectory("s3csi-mounts").toRealPath();
    }

    @AfterEach
    void removeMountsAndDirectory() throws IOException {
        List<MountEntry> left = MountTable.current().select(entry -> entry.isBelow(directory)).stream()
                .sorted(Comparator.comparingInt(MountEntry::id).reversed())
                .toList();
        for (MountEntry entry : left) {
            Mounts.unmount(Path.of(entry.mountPoint()), Mounts.Unmount.DETACH);
        }
        try (var files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private Path make(String name) throws IOException {
        return Files.createDirectory(directory.resolve(name));
    }

    @Test
    void aBindMountShowsTheDirectoryAndIsFoundUnderAnOddName() throws Exception {
        Path source = make("source");
        Files.writeString(source.resolve("file"), "content");
        Path target = make("a name\twith\nnew line and \\040 # in it");
        Mounts.bind(source, target);
        assertThat(target.resolve("file")).hasContent("content");
        assertThat(MountTable.current().topAt(target)).isPresent();
        Mounts.unmount(target, Mounts.Unmount.PLAIN);
        assertThat(MountTable.current().topAt(target)).isEmpty();
        assertThat(target.resolve("file")).doesNotExist();
    }

    @Test
    void aFuseMountShowsItsSourceAndOptions() throws Exception {
        Path target = make("fuse");
        try (FuseDevice device = FuseDevice.open()) {
            FuseMountOptions options =
                    FuseMountOptions.ownedBy(1000, 2000).withAllowOther(true).withReadOnly(true);
            Mounts.mountFuse(device, "mountpoint-s3", target, options);
            MountEntry entry = MountTable.current().topAt(target).orElseThrow();
            assertThat(entry.source()).isEqualTo("mountpoint-s3");
            assertThat(entry.type()).isEqualTo("fuse");
            assertThat(entry.options()).contains("ro", "nosuid", "nodev", "noatime");
            assertThat(entry.superOptions())
                    .contains("user_id=1000", "group_id=2000", "default_permissions", "allow_other");
        }
    }

    @Test
    void forceEndsTheWaitOfAProcessInAMountThatNobodyServes() throws Exception {
        Path target = make("fuse");
        try (FuseDevice device = FuseDevice.open()) {
            Mounts.mountFuse(device, "mountpoint-s3", target, FuseMountOptions.ownedBy(0, 0));
            Process waiting = new ProcessBuilder("stat", target.resolve("x").toString())
                    .redirectErrorStream(true)
                    .start();
            // It does not end by itself: nobody answers INIT. FORCE works whether it already waits or not.
            assertThat(waiting.isAlive()).isTrue();
            forceAway(target);
            assertThat(waiting.waitFor()).isNotZero();
        }
    }

    private static void forceAway(Path target) throws IOException {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (MountTable.current().topAt(target).isPresent()) {
            assertThat(System.nanoTime()).as("%s is unmounted in time", target).isLessThan(deadline);
            try {
                Mounts.unmount(target, Mounts.Unmount.FORCE);
            } catch (LinuxException e) {
                assertThat(e.errno()).isEqualTo(Errno.EBUSY);
            }
        }
    }

    @Test
    void theCachedStatusOfAMountThatNobodyServesIsThereAtOnce() throws Exception {
        Path target = make("fuse");
        try (FuseDevice device = FuseDevice.open()) {
            Mounts.mountFuse(device, "mountpoint-s3", target, FuseMountOptions.ownedBy(0, 0));
            // On a thread that may be lost: if the call asked the server, it would wait for ever.
            var status = java.util.concurrent.CompletableFuture.supplyAsync(() -> {
                try {
                    return FileStatus.cached(target);
                } catch (LinuxException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(status.get(20, java.util.concurrent.TimeUnit.SECONDS).device())
                    .isEqualTo(MountTable.current().topAt(target).orElseThrow().device());
        }
    }

    @Test
    void aBusyMountIsNotUnmountedPlainlyButDetached() throws Exception {
        Path source = make("source");
        Files.writeString(source.resolve("file"), "content");
        Path target = make("target");
        Mounts.bind(source, target);
        try (var open = Files.newInputStream(target.resolve("file"))) {
            assertThatThrownBy(() -> Mounts.unmount(target, Mounts.Unmount.PLAIN))
                    .isInstanceOfSatisfying(LinuxException.class, e -> {
                        assertThat(e.errno()).isEqualTo(Errno.EBUSY);
                        assertThat(e.call()).isEqualTo("umount2");
                    })
                    .hasMessageContaining("EBUSY")
                    .hasMessageContaining(target.toString());
            Mounts.unmount(target, Mounts.Unmount.DETACH);
            assertThat(open.readAllBytes()).hasSize(7);
        }
    }

    @Test
    void aSymbolicLinkIsNotUnmountedThrough() throws Exception {
        Path source = make("source");
        Path target = make("target");
        Mounts.bind(source, target);
        Path link = Files.createSymbolicLink(directory.resolve("link"), target);
        assertThatThrownBy(() -> Mounts.unmount(link, Mounts.Unmount.PLAIN))
                .isInstanceOfSatisfying(
                        LinuxException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
        assertThat(MountTable.current().topAt(target)).isPresent();
    }

    @Test
    void noMountIsMissedWhileOthersComeAndGo() throws Exception {
        Path source = make("source");
        // Enough of them for the table to be handed out in several pieces.
        for (int i = 0; i < 100; i++) {
            Mounts.bind(source, make("steady-" + i));
        }
        Path churned = make("churned");
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger rounds = new AtomicInteger();
        Thread churn = Thread.ofPlatform().start(() -> {
            try {
                while (!stop.get()) {
                    Mounts.bind(source, churned);
                    Mounts.unmount(churned, Mounts.Unmount.PLAIN);
                    rounds.incrementAndGet();
                }
            } catch (LinuxException e) {
                throw new IllegalStateException(e);
            }
        });
        try {
            for (int i = 0; i < 200; i++) {
                assertThat(MountTable.current().select(e -> e.mountPoint().contains("/steady-")))
                        .hasSize(100);
            }
        } finally {
            stop.set(true);
            churn.join();
        }
        assertThat(rounds.get()).isPositive();
    }
}
