package s3csi.driver.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.csi.v1.VolumeCapability.AccessMode.Mode;
import s3csi.driver.node.PublishRequests;
import s3csi.driver.node.VolumeMount;
import s3csi.driver.node.kernel.Deadline;
import s3csi.driver.node.kernel.FakeMounts;
import s3csi.driver.node.source.MountedSource;
import s3csi.driver.node.target.BindMounts;
import s3csi.driver.node.target.Target;
import s3csi.linux.DeviceNumber;
import s3csi.linux.Mounts.Unmount;
import s3csi.volume.CauseFaces;
import s3csi.volume.StoreKeys;
import s3csi.volume.VolumeFailure;
import s3csi.volume.VolumeId;

/** A mounter over a kernel and engines that are made up, and what its tests do with it. */
abstract class ProcessMounterStage {
    static final Duration LONG = Duration.ofSeconds(20);
    /** Within this a fake engine takes its mount over, also on a busy machine. */
    static final Duration SHORT = Duration.ofSeconds(2);

    final FakeMounts mounts = new FakeMounts();
    final FakeEngines engines = new FakeEngines(mounts);
    final Path plugin;
    final Path targets;
    ProcessMounter mounter;
    StoreKeys driverKeys = PublishRequests.driverKeys().current();

    ProcessMounterStage(Path scratch) throws IOException {
        plugin = Files.createDirectory(scratch.toRealPath().resolve("plugin"));
        targets = Files.createDirectory(scratch.toRealPath().resolve("pods"));
        mounter = newMounter();
    }

    /** A driver that knows nothing but what is on disk and in the mount table. */
    final ProcessMounter newMounter() {
        return new ProcessMounter(
                mounts,
                bindMounts(),
                engines,
                plugin,
                () -> driverKeys,
                Map.of("AWS_ENDPOINT_URL", "http://s3", "AWS_REGION", "eu-1"));
    }

    private BindMounts bindMounts() {
        try {
            return new BindMounts(mounts, targets, plugin);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    Target target(String name) {
        return new Target(targets.resolve(name), Optional.empty());
    }

    VolumeMount volume(String... options) {
        return read(PublishRequests.publish(targets.resolve("x"))
                .setVolumeCapability(PublishRequests.capability(Mode.MULTI_NODE_MULTI_WRITER, options)));
    }

    VolumeMount volumeWithSecret(String id, String key) {
        return read(PublishRequests.publish(targets.resolve("x"))
                .putVolumeContext("authenticationSource", "secret")
                .putAllSecrets(PublishRequests.secret(id, key)));
    }

    static VolumeMount read(NodePublishVolumeRequest.Builder request) {
        return PublishRequests.read(PublishRequests.reader(), request);
    }

    /** Binds the volume to a target of that name. */
    MountedSource publish(String target, VolumeMount mount) {
        List<MountedSource> used = new ArrayList<>();
        mounter.withSource(mount, targets.resolve(target), Deadline.after(LONG), source -> {
            mounts.bind(source.path(), targets.resolve(target), mount.readOnly());
            used.add(source);
        });
        return used.getFirst();
    }

    void unpublish(String target) {
        Path path = targets.resolve(target);
        DeviceNumber device = mounts.topAt(path).orElseThrow().device();
        mounts.unmount(path, Unmount.PLAIN);
        mounter.release(target(target), new VolumeId(PublishRequests.VOLUME), device, Deadline.after(LONG));
    }

    void assertNothingIsLeft() throws IOException {
        assertThat(mounts.table()).isEmpty();
        assertThat(mounts.openDescriptors()).isZero();
        assertThat(engines.alive()).isZero();
        for (String directory : List.of("mnt", "comm")) {
            assertThat(names(plugin.resolve(directory))).isEmpty();
        }
    }

    static List<String> names(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(path -> String.valueOf(path.getFileName())).toList();
        }
    }

    Path comm(MountedSource source) {
        return plugin.resolve("comm").resolve(source.name());
    }

    String keysOf(MountedSource source) throws IOException {
        try (Stream<Path> files = Files.list(comm(source).resolve("credentials"))) {
            return Files.readString(files.filter(f -> f.toString().endsWith("-credentials"))
                    .findFirst()
                    .orElseThrow());
        }
    }

    /** Kubelet publishes target a once more. */
    void refresh(MountedSource source, VolumeMount mount) {
        refresh("a", source, mount);
    }

    void refresh(String target, MountedSource source, VolumeMount mount) {
        mounter.refresh(target(target), source.device(), mount, Deadline.after(LONG));
    }

    static String word(Throwable failure) {
        assertThat(failure).isInstanceOf(VolumeFailure.class);
        return CauseFaces.word(((VolumeFailure) failure).reason());
    }
}
