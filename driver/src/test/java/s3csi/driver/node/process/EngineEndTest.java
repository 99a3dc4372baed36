package s3csi.driver.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.driver.node.PublishRequests;
import s3csi.driver.node.VolumeMount;
import s3csi.driver.node.kernel.Deadline;
import s3csi.driver.node.kernel.FakeMounts;
import s3csi.driver.node.source.MountedSource;
import s3csi.driver.node.target.BindMounts;
import s3csi.driver.node.target.Target;
import s3csi.linux.DeviceNumber;
import s3csi.linux.DirectoryTree;
import s3csi.linux.Mounts.Unmount;
import s3csi.volume.VolumeId;

/** An engine whose last target is gone may have files to store. */
class EngineEndTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final FakeMounts mounts = new FakeMounts();
    private final FakeEngines engines = new FakeEngines(mounts);
    private final ProcessMounter mounter;
    private final Path plugin;
    private final Path target;

    EngineEndTest(@TempDir Path scratch) throws IOException {
        plugin = Files.createDirectory(scratch.toRealPath().resolve("plugin"));
        Path pods = Files.createDirectory(scratch.toRealPath().resolve("pods"));
        target = pods.resolve("a");
        mounter = new ProcessMounter(
                mounts,
                new BindMounts(mounts, pods, plugin),
                engines,
                plugin,
                () -> PublishRequests.driverKeys().current(),
                Map.of());
    }

    private void publishAndUnpublish() {
        publish(target);
        unpublish(target);
    }

    private MountedSource publish(Path at) {
        VolumeMount mount = PublishRequests.read(PublishRequests.reader(), PublishRequests.publish(at));
        List<MountedSource> used = new ArrayList<>();
        mounter.withSource(mount, at, Deadline.after(LONG), source -> {
            mounts.bind(source.path(), at, mount.readOnly());
            used.add(source);
        });
        return used.getFirst();
    }

    private void unpublish(Path from) {
        DeviceNumber device = mounts.topAt(from).orElseThrow().device();
        mounts.unmount(from, Unmount.PLAIN);
        mounter.release(
                new Target(from, Optional.empty()), new VolumeId(PublishRequests.VOLUME), device, Deadline.after(LONG));
    }

    @Test
    void anEngineThatStillStoresFilesIsNotEnded() {
        engines.areStoring = true;
        publishAndUnpublish();

        assertThat(engines.alive()).isEqualTo(1);
        assertThat(engines.kills).isZero();
        assertThat(plugin.resolve("comm")).isNotEmptyDirectory();

        engines.areStoring = false;
        mounter.sweep();

        assertThat(engines.kills).isZero();
        assertThat(engines.alive()).isZero();
        assertThat(plugin.resolve("comm")).isEmptyDirectory();
    }

    @Test
    void anEngineThatDoesNotEndTheNextTimeEitherIsEnded() {
        engines.areStoring = true;
        publishAndUnpublish();

        mounter.sweep();

        assertThat(engines.kills).isEqualTo(1);
        assertThat(engines.alive()).isZero();
        assertThat(plugin.resolve("comm")).isEmptyDirectory();
        assertThat(plugin.resolve("mnt")).isEmptyDirectory();
    }

    @Test
    void anEngineThatStillStoresFilesIsNotReplaced() {
        engines.areStoring = true;
        publishAndUnpublish();

        assertThatThrownBy(() -> publish(target)).hasMessageContaining("still stores what they wrote");

        assertThat(engines.kills).isZero();
        assertThat(engines.starts).isEqualTo(1);
        engines.areStoring = false;
        publish(target);
        assertThat(engines.kills).isZero();
        assertThat(engines.starts).isEqualTo(2);
    }

    /** A driver was killed between the start of the mount and its note, and the next one found the mount in order. */
    @Test
    void anEngineThatAKilledDriverLeftServingMayStoreItsFilesToo() throws IOException {
        MountedSource source = publish(target);
        Files.delete(plugin.resolve("comm").resolve(source.name()).resolve("served"));
        Path second = target.resolveSibling("b");
        publish(second);
        engines.areStoring = true;

        unpublish(target);
        unpublish(second);

        assertThat(engines.kills).isZero();
        assertThat(engines.alive()).isEqualTo(1);
    }

    /** Somebody unmounted it in the plugin directory, by {@code umount -l}; its targets still work. */
    @Test
    void aSourceThatIsNotAtItsPlaceLivesAsLongAsItsTargets() {
        MountedSource source = publish(target);
        mounts.unmount(source.path(), Unmount.DETACH);

        mounter.sweep();
        Path second = target.resolveSibling("b");
        MountedSource other = publish(second);

        assertThat(other.device()).isNotEqualTo(source.device());
        assertThat(engines.alive()).isEqualTo(2);
        assertThat(engines.kills).isZero();
        assertThat(mounter.published(new Target(target, Optional.empty()), source.device()))
                .as("what the target shows")
                .isPresent();
        unpublish(target);
        unpublish(second);
        assertThat(engines.alive()).isZero();
        assertThat(plugin.resolve("comm")).isEmptyDirectory();
        assertThat(plugin.resolve("mnt")).isEmptyDirectory();
    }

    /** The note that tells an engine to end cannot be written: a directory stands in its way, as on a disk that is full none could be made. */
    @Test
    void aSourceEndsAlsoWhereItsEndCannotBeNoted() throws IOException {
        MountedSource source = publish(target);
        Files.createDirectory(plugin.resolve("comm").resolve(source.name()).resolve("mount.exit"));

        unpublish(target);

        assertThat(mounts.table()).isEmpty();
        assertThat(engines.alive()).isZero();
        assertThat(plugin.resolve("comm")).isEmptyDirectory();
    }

    @Test
    void aDirectoryThatSomebodyRemovedUnderASourceIsMadeAgain() throws IOException {
        MountedSource source = publish(target);
        Path comm = plugin.resolve("comm").resolve(source.name());
        DirectoryTree.remove(comm);

        assertThat(publish(target.resolveSibling("b"))).isEqualTo(source);

        assertThat(comm.resolve("credentials")).isNotEmptyDirectory();
        assertThat(comm.resolve("identity")).isNotEmptyFile();
    }

    /** Somebody put a file where it was mounted. */
    @Test
    void whatCannotBeCleanedUpDoesNotKeepTheRestFromIt() throws IOException {
        for (String name : List.of("mp-1", "mp-2", "mp-3")) {
            Files.createDirectories(plugin.resolve("comm").resolve(name));
        }
        Path inTheWay = Files.createDirectories(plugin.resolve("mnt/mp-2")).resolve("file");
        Files.createFile(inTheWay);

        mounter.sweep();

        try (Stream<Path> left = Files.list(plugin.resolve("comm"))) {
            assertThat(left).containsExactly(plugin.resolve("comm/mp-2"));
        }
        Files.delete(inTheWay);
        mounter.sweep();
        assertThat(plugin.resolve("comm")).isEmptyDirectory();
    }
}
