package s3csi.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import s3csi.linux.BindMount.Way;
import s3csi.linux.Mounts.Unmount;

/** Binds on the real kernel, asked in both ways. */
@Tag("engine")
class BindMountTest {
    private static final int TRIES = 300;

    private Path scratch = Path.of("/");
    private Path source = Path.of("/");
    private Path pods = Path.of("/");

    @BeforeEach
    void makeDirectories(@TempDir Path directory) throws IOException {
        scratch = directory.toRealPath();
        source = Files.createDirectory(scratch.resolve("source"));
        pods = Files.createDirectory(scratch.resolve("pods"));
    }

    @AfterEach
    void unmountAll() throws IOException {
        for (MountEntry entry : mountsBelow(scratch).reversed()) {
            Mounts.unmount(Path.of(entry.mountPoint()), Unmount.DETACH);
        }
    }

    private static List<MountEntry> mountsBelow(Path directory) throws IOException {
        return MountTable.current().select(entry -> entry.isBelow(directory));
    }

    private void attach(Path source, String name, boolean readOnly, Way way) throws IOException {
        try (Directory parent = Directory.at(pods)) {
            BindMount.attach(source, parent, name, readOnly, way);
        }
    }

    @ParameterizedTest
    @CsvSource({"ANY, true", "ANY, false", "OLD, true", "OLD, false"})
    void aMountIsShownAtASecondPlace(Way way, boolean readOnly) throws Exception {
        Path target = Files.createDirectory(pods.resolve("öffentlich und mit Lücken"));
        attach(source, target.getFileName().toString(), readOnly, way);
        Files.writeString(source.resolve("file"), "written at the source");
        assertThat(target.resolve("file")).hasContent("written at the source");
        if (readOnly) {
            assertThatThrownBy(() -> Files.writeString(target.resolve("more"), "x"))
                    .hasMessageContaining("Read-only");
        } else {
            Files.writeString(target.resolve("more"), "x");
        }
        assertThat(MountTable.current().topAt(target).orElseThrow().isReadOnly())
                .isEqualTo(readOnly);
    }

    @Test
    void aReadOnlyMountCanBeShownWritableElsewhere() throws Exception {
        Files.createDirectory(pods.resolve("reader"));
        Path writer = Files.createDirectory(pods.resolve("writer"));
        attach(source, "reader", true, Way.ANY);
        attach(pods.resolve("reader"), "writer", false, Way.ANY);
        Files.writeString(writer.resolve("file"), "x");
        assertThat(source.resolve("file")).exists();
    }

    @ParameterizedTest
    @EnumSource
    void aReadOnlyMountKeepsTheFlagsOfItsSource(Way way) throws Exception {
        Path target = Files.createDirectory(pods.resolve("target"));
        try (FuseDevice device = FuseDevice.open()) {
            // Nobody serves it: binding it asks nothing of whoever would.
            Mounts.mountFuse(device, "mountpoint-s3", source, FuseMountOptions.ownedBy(0, 0));
            attach(source, "target", true, way);
            assertThat(MountTable.current().topAt(target).orElseThrow().options())
                    .contains("ro", "nosuid", "nodev", "noatime");
            assertThat(MountTable.current().topAt(source).orElseThrow().options())
                    .contains("rw");
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatWasLeftWritableIsMadeReadOnlyWhereItIs(Way way) throws Exception {
        Path target = Files.createDirectory(pods.resolve("target"));
        attach(source, "target", false, way);
        try (Directory parent = Directory.at(pods)) {
            BindMount.makeReadOnly(parent, "target", way);
        }
        assertThat(MountTable.current().at(target))
                .singleElement()
                .satisfies(entry -> assertThat(entry.isReadOnly()).isTrue());
        Files.writeString(source.resolve("file"), "the source stays as it is");
    }

    @ParameterizedTest
    @EnumSource
    void aLinkInPlaceOfTheTargetIsRefused(Way way) throws Exception {
        Path outside = Files.createDirectory(scratch.resolve("outside"));
        Files.createSymbolicLink(pods.resolve("target"), outside);
        assertThatThrownBy(() -> attach(source, "target", true, way))
                .isInstanceOfSatisfying(
                        LinuxException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ELOOP));
        assertThat(mountsBelow(scratch)).isEmpty();
    }

    @Test
    @Timeout(60)
    void aReadOnlyMountIsNeverSeenWritable() throws Exception {
        Path target = Files.createDirectory(pods.resolve("target"));
        AtomicBoolean ended = new AtomicBoolean();
        AtomicInteger seen = new AtomicInteger();
        AtomicInteger writable = new AtomicInteger();
        Thread watcher = Thread.ofPlatform().start(() -> {
            while (!ended.get()) {
                // Not by the mount table's own class, which looks again until nothing changes.
                for (MountEntry entry : lines()) {
                    if (entry.isAt(target)) {
                        seen.incrementAndGet();
                        writable.addAndGet(entry.isReadOnly() ? 0 : 1);
                    }
                }
            }
        });
        while (seen.get() < TRIES) {
            attach(source, "target", true, Way.ANY);
            Mounts.unmount(target, Unmount.PLAIN);
        }
        ended.set(true);
        watcher.join();
        assertThat(writable.get()).as("looks at a writable mount").isZero();
    }

    private static List<MountEntry> lines() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/mountinfo"))) {
            return lines.flatMap(line -> MountEntry.parse(line).stream()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The target is swapped for a link to elsewhere and back, as fast as can be. */
    @ParameterizedTest
    @EnumSource
    void aLinkThatIsSwappedInLeadsNowhere(Way way) throws Exception {
        Path outside = Files.createDirectory(scratch.resolve("outside"));
        Path target = Files.createDirectory(pods.resolve("target"));
        Path aside = pods.resolve("aside");
        Path link = Files.createSymbolicLink(pods.resolve("link"), outside);
        AtomicBoolean ended = new AtomicBoolean();
        Thread attacker = Thread.ofPlatform().start(() -> {
            try {
                while (!ended.get()) {
                    Files.move(target, aside);
                    Files.move(link, target);
                    Files.move(target, link);
                    Files.move(aside, target);
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        int bound = 0;
        for (int i = 0; i < TRIES; i++) {
            try {
                attach(source, "target", false, way);
                bound++;
            } catch (LinuxException e) {
                assertThat(e.errno()).isIn(Errno.ELOOP, Errno.ENOENT, Errno.ENOTDIR);
            }
            assertThat(lines()).noneMatch(entry -> entry.isAt(outside) || entry.isBelow(outside));
            try (Directory parent = Directory.at(pods)) {
                unmountWherever(parent);
            }
        }
        ended.set(true);
        attacker.join();
        assertThat(bound).as("binds among " + TRIES + " tries").isPositive();
    }

    /** The mount moves with its directory. */
    private static void unmountWherever(Directory parent) throws IOException {
        for (String name : List.of("target", "aside")) {
            try {
                Mounts.unmount(parent, name, Unmount.DETACH);
                return;
            } catch (LinuxException e) {
                assertThat(e.errno()).isIn(Errno.EINVAL, Errno.ENOENT);
            }
        }
    }
}
