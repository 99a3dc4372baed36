package s3csi.driver.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.csi.v1.VolumeCapability.AccessMode.Mode;
import s3csi.driver.node.FakeEngines.Behaviour;
import s3csi.linux.DeviceNumber;
import s3csi.linux.Mounts.Unmount;
import s3csi.volume.CauseFaces;
import s3csi.volume.NodeCause;
import s3csi.volume.VolumeFailure;
import s3csi.volume.mount.MountMessage;

class ProcessMounterTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    /** Within this a fake engine takes its mount over, also on a busy machine. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    private final FakeMounts mounts = new FakeMounts();
    private final FakeEngines engines = new FakeEngines(mounts);
    private final Path plugin;
    private final Path targets;
    private ProcessMounter mounter;

    ProcessMounterTest(@TempDir Path scratch) throws IOException {
        plugin = Files.createDirectory(scratch.toRealPath().resolve("plugin"));
        targets = Files.createDirectory(scratch.toRealPath().resolve("pods"));
        mounter = newMounter();
    }

    /** A driver that knows nothing but what is on disk and in the mount table. */
    private ProcessMounter newMounter() {
        return new ProcessMounter(
                mounts, engines, plugin, targets, Map.of("AWS_ENDPOINT_URL", "http://s3", "AWS_REGION", "eu-1"));
    }

    private VolumeMount volume(String... options) {
        return read(PublishRequests.publish(targets.resolve("x"))
                .setVolumeCapability(PublishRequests.capability(Mode.MULTI_NODE_MULTI_WRITER, options)));
    }

    private VolumeMount volumeWithSecret(String id, String key) {
        return read(PublishRequests.publish(targets.resolve("x"))
                .putVolumeContext("authenticationSource", "secret")
                .putAllSecrets(PublishRequests.secret(id, key)));
    }

    private static VolumeMount read(NodePublishVolumeRequest.Builder request) {
        return PublishRequests.reader().read(request.build());
    }

    /** Binds the volume to a target of that name. */
    private MountedSource publish(String target, VolumeMount mount) {
        List<MountedSource> used = new ArrayList<>();
        mounter.withSource(mount, Deadline.after(LONG), source -> {
            mounts.bind(source.path(), targets.resolve(target), mount.readOnly());
            used.add(source);
        });
        return used.getFirst();
    }

    private void unpublish(String target) {
        Path path = targets.resolve(target);
        DeviceNumber device = mounts.topAt(path).orElseThrow().device();
        mounts.unmount(path, Unmount.PLAIN);
        mounter.release(device, Deadline.after(LONG));
    }

    private void assertNothingIsLeft() throws IOException {
        assertThat(mounts.table()).isEmpty();
        assertThat(mounts.openDescriptors()).isZero();
        assertThat(engines.alive()).isZero();
        for (String directory : List.of("mnt", "comm")) {
            assertThat(names(plugin.resolve(directory))).isEmpty();
        }
    }

    private static List<String> names(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(path -> String.valueOf(path.getFileName())).toList();
        }
    }

    private Path comm(MountedSource source) {
        return plugin.resolve("comm").resolve(source.name());
    }

    private String keysOf(MountedSource source) throws IOException {
        try (Stream<Path> files = Files.list(comm(source).resolve("credentials"))) {
            return Files.readString(files.filter(f -> f.toString().endsWith("-credentials"))
                    .findFirst()
                    .orElseThrow());
        }
    }

    @Test
    void theEngineGetsOptionsEnvironmentAndOneDescriptor() throws IOException {
        MountedSource source = publish("a", volume("prefix=p/", "aws-max-attempts=3", "endpoint-url=http://evil"));
        String credentials = comm(source).resolve("credentials").toString();
        String profile = source.name() + "-volume-1-s3-csi";
        assertThat(engines.descriptors).containsExactly(1);
        assertThat(engines.messages)
                .containsExactly(new MountMessage(
                        "data",
                        List.of(
                                "--allow-root",
                                "--attribute-changes=ignore",
                                "--force-path-style",
                                "--prefix=p/",
                                "--user-agent-prefix=s3-csi-driver/3.0.0 credential-source#driver"),
                        List.of(
                                "AWS_CONFIG_FILE=" + credentials + "/" + profile + "-config",
                                "AWS_ENDPOINT_URL=http://s3",
                                "AWS_MAX_ATTEMPTS=3",
                                "AWS_PROFILE=" + profile,
                                "AWS_REGION=eu-1",
                                "AWS_SHARED_CREDENTIALS_FILE=" + credentials + "/" + profile + "-credentials")));
        assertThat(mounts.openDescriptors()).isZero();
    }

    @Test
    void keysAreInFilesForTheEngineOnly() throws IOException {
        MountedSource source = publish("a", volume());
        assertThat(keysOf(source))
                .isEqualTo("[" + source.name() + "-volume-1-s3-csi]\naws_access_key_id=DRIVER\n"
                        + "aws_secret_access_key=canary-of-the-driver\n");
        assertThat(mode(comm(source))).isEqualTo("rwx------");
        assertThat(mode(comm(source).resolve("credentials"))).isEqualTo("rwxr-x---");
        try (Stream<Path> files = Files.list(comm(source).resolve("credentials"))) {
            assertThat(files.map(ProcessMounterTest::mode)).containsOnly("rw-r-----");
        }
        assertThat(source.name()).doesNotContain("canary");
    }

    private static String mode(Path path) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aReadOnlyVolumeIsMountedReadOnly() {
        MountedSource source = publish("a", volume("read-only"));
        assertThat(mounts.calls).startsWith("mount " + source.name() + " ro");
        assertThat(engines.messages.getFirst().args()).doesNotContain("--read-only");
    }

    @Test
    void targetsThatAgreeShareASource() throws IOException {
        MountedSource first = publish("a", volume());
        assertThat(publish("b", volume())).isEqualTo(first);
        assertThat(engines.starts).isEqualTo(1);
        unpublish("a");
        assertThat(publish("c", volume())).isEqualTo(first);
        unpublish("b");
        unpublish("c");
        assertNothingIsLeft();
    }

    @Test
    void targetsThatDifferDoNot() {
        MountedSource first = publish("a", volume());
        assertThat(publish("b", volume("allow-delete"))).isNotEqualTo(first);
        assertThat(publish("c", volume("read-only"))).isNotEqualTo(first);
        assertThat(publish("d", volumeWithSecret("T", "k"))).isNotEqualTo(first);
        assertThat(publish(
                        "e", read(PublishRequests.publish(targets.resolve("x")).setVolumeId("volume-2"))))
                .isNotEqualTo(first);
        assertThat(publish(
                        "f",
                        read(PublishRequests.publish(targets.resolve("x"))
                                .setVolumeCapability(PublishRequests.ofGroup("7")))))
                .isNotEqualTo(first);
        assertThat(engines.starts).isEqualTo(6);
    }

    @Test
    void whoBringsOtherKeysDoesNotGetAtWhatTheFirstOnesShow() throws IOException {
        MountedSource first = publish("a", volumeWithSecret("A", "key-a"));
        MountedSource second = publish("b", volumeWithSecret("A", "guessed"));
        assertThat(second).isNotEqualTo(first);
        assertThat(keysOf(first)).contains("key-a");
        assertThat(publish("c", volumeWithSecret("A", "key-a"))).isEqualTo(first);
        assertThat(publish("d", volumeWithSecret("A", "guessed"))).isEqualTo(second);
    }

    /** Kubelet publishes target a once more. */
    private boolean refresh(DeviceNumber device, VolumeMount mount) {
        return mounter.refresh(targets.resolve("a"), device, mount, Deadline.after(LONG));
    }

    @Test
    void rotatedKeysReachTheEngineAndNothingIsMounted() throws IOException {
        MountedSource source = publish("a", volumeWithSecret("A", "old"));
        mounts.calls.clear();
        assertThat(refresh(source.device(), volumeWithSecret("A", "new"))).isTrue();
        assertThat(keysOf(source)).contains("=new\n").doesNotContain("old");
        assertThat(mounts.calls).isEmpty();
        assertThat(publish("b", volumeWithSecret("A", "new"))).isEqualTo(source);
    }

    @Test
    void keysThatDidNotChangeAreNotWritten() throws IOException {
        MountedSource source = publish("a", volume());
        Object before = fileKeys(source);
        assertThat(refresh(source.device(), volume())).isTrue();
        assertThat(fileKeys(source)).isEqualTo(before);
    }

    private List<Object> fileKeys(MountedSource source) throws IOException {
        try (Stream<Path> files = Files.list(comm(source).resolve("credentials"))) {
            List<Object> keys = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                keys.add(Files.getAttribute(file, "unix:ino"));
            }
            return keys;
        }
    }

    @Test
    void aTargetOfAnotherVolumeIsNotRefreshed() throws IOException {
        MountedSource source = publish("a", volume());
        VolumeMount other = read(PublishRequests.publish(targets.resolve("x")).setVolumeId("volume-2"));
        assertThatThrownBy(() -> refresh(source.device(), other))
                .satisfies(failure -> assertThat(word(failure)).isEqualTo("target-taken"))
                .hasMessageContaining("target \"" + targets.resolve("a")
                        + "\": another volume than volume-2 is mounted there already");
        assertThat(refresh(new DeviceNumber(0, 4711), other)).isFalse();
    }

    private static String word(Throwable failure) {
        assertThat(failure).isInstanceOf(VolumeFailure.class);
        return CauseFaces.word(((VolumeFailure) failure).reason());
    }

    @ParameterizedTest
    @CsvSource({
        "CANNOT_START, engine-missing, posix_spawn",
        "DIES_AT_ONCE, engine-failed, Segmentation fault",
        "NEVER_LISTENS, engine-silent, did not take the mount over in time",
        "IS_A_STRANGER, stranger-on-socket, listens there instead",
        "COMPLAINS, no-such-bucket, there is no bucket",
        "DIES_WITH_THE_MOUNT, engine-failed, Segmentation fault",
        "NEVER_SERVES, engine-silent, did not begin to serve in time"
    })
    void anEngineThatFailsLeavesNothingBehindAndTheNextCallHeals(Behaviour behaviour, String word, String words)
            throws IOException {
        engines.behaviour = behaviour;
        boolean hangs = behaviour.name().startsWith("NEVER");
        assertThatThrownBy(() -> mounter.withSource(volume(), Deadline.after(hangs ? SHORT : LONG), source -> {}))
                .hasMessageContaining(words)
                .satisfies(failure -> assertThat(word(failure)).isEqualTo(word));
        assertNothingIsLeft();
        engines.behaviour = Behaviour.SERVES;
        publish("a", volume());
        unpublish("a");
        assertNothingIsLeft();
    }

    @Test
    void aMountThatIsRefusedLeavesNothingBehind() throws IOException {
        mounts.refused = "mount";
        assertThatThrownBy(() -> publish("a", volume()))
                .satisfies(failure -> assertThat(word(failure)).isEqualTo("mount-refused"));
        assertNothingIsLeft();
    }

    @Test
    void aUseThatFailsTakesItsSourceAlong() throws IOException {
        VolumeFailure busy = new VolumeFailure(new NodeCause.TargetBusy("t", "x"));
        assertThatThrownBy(() -> mounter.withSource(volume(), Deadline.after(LONG), _ -> {
                    throw busy;
                }))
                .isSameAs(busy);
        assertNothingIsLeft();
    }

    @Test
    void aUseThatFailsLeavesTheSourceToOthers() {
        MountedSource source = publish("a", volume());
        assertThatThrownBy(() -> mounter.withSource(volume(), Deadline.after(LONG), _ -> {
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(mounts.topAt(source.path())).isPresent();
    }

    @Test
    void aDeadSourceIsMountedAgain() {
        MountedSource dead = publish("a", volume());
        mounts.setPulse(dead.device(), FakeMounts.DEAD);
        MountedSource fresh = publish("b", volume());
        assertThat(fresh.device()).isNotEqualTo(dead.device());
        assertThat(fresh.path()).isEqualTo(dead.path());
        assertThat(mounts.table()).filteredOn(entry -> entry.isAt(dead.path())).hasSize(1);
        assertThat(engines.alive()).isEqualTo(1);
    }

    @Test
    void aSilentSourceThatIsUsedIsLeftAlone() {
        MountedSource source = publish("a", volume());
        mounts.setPulse(source.device(), new Pulse.Silent());
        mounts.calls.clear();
        assertThatThrownBy(() -> publish("b", volume()))
                .satisfies(failure -> assertThat(word(failure)).isEqualTo("engine-silent"));
        assertThat(mounts.topAt(source.path())).isPresent();
        assertThat(engines.alive()).isEqualTo(1);
    }

    @Test
    void aSilentSourceThatNobodyUsesIsReplaced() {
        MountedSource source = publish("a", volume());
        mounts.unmount(targets.resolve("a"), Unmount.PLAIN);
        mounts.setPulse(source.device(), new Pulse.Silent());
        assertThat(publish("b", volume()).device()).isNotEqualTo(source.device());
    }

    @Test
    void theNextDriverFindsEverythingAgain() throws IOException {
        MountedSource source = publish("a", volume());
        mounter = newMounter();
        mounter.sweep();
        assertThat(refresh(source.device(), volume())).isTrue();
        assertThat(publish("b", volume())).isEqualTo(source);
        assertThat(engines.starts).isEqualTo(1);
        unpublish("a");
        unpublish("b");
        assertNothingIsLeft();
    }

    @Test
    void whatADriverThatWasKilledLeftIsSweptUp() throws IOException {
        MountedSource mounted = publish("a", volume());
        mounts.unmount(targets.resolve("a"), Unmount.PLAIN);
        SourceDirectory begun = SourceDirectory.in(plugin, "mp-begun");
        begun.create(volume().volume());
        engines.start(begun);
        Path foreign = Files.createDirectories(plugin.resolve("mnt/mp-of-a-pod"));
        MountedSource used = publish("b", volume("allow-delete"));

        mounter = newMounter();
        mounter.sweep();
        assertThat(mounts.topAt(mounted.path())).isEmpty();
        assertThat(begun.exists()).isFalse();
        assertThat(foreign).exists();
        assertThat(mounts.topAt(used.path())).isPresent();
        assertThat(engines.alive()).isEqualTo(1);
    }

    /** What a driver had done when it was killed, in the order in which it does it. */
    enum Step {
        DIRECTORIES_MADE,
        ENGINE_STARTED,
        MOUNTED,
        HANDED_OVER
    }

    @ParameterizedTest
    @EnumSource
    void aDriverKilledAtAnyStepIsHealedByTheNextPublish(Step step) throws IOException {
        MountedSource source = publish("a", volume());
        unpublish("a");
        SourceDirectory left = SourceDirectory.in(plugin, source.name());
        left.create(volume().volume());
        engines.behaviour = Behaviour.NEVER_SERVES;
        if (step.compareTo(Step.ENGINE_STARTED) >= 0) {
            engines.start(left);
        }
        if (step.compareTo(Step.MOUNTED) >= 0) {
            DeviceNumber device = mounts.add(left.mount(), MountCalls.SOURCE_NAME, "fuse", false);
            // The descriptor died with the driver, unless the engine has it already.
            mounts.setPulse(device, step == Step.MOUNTED ? FakeMounts.DEAD : new Pulse.Silent());
        }
        engines.behaviour = Behaviour.SERVES;
        mounter = newMounter();
        assertThat(publish("a", volume()).path()).isEqualTo(source.path());
        assertThat(mounts.table()).hasSize(2);
        assertThat(engines.alive()).isEqualTo(1);
        unpublish("a");
        assertNothingIsLeft();
    }

    @Test
    void aCacheIsTheSourcesOwn() {
        MountedSource source = publish("a", volume("cache /var/cache/of-another", "max-cache-size 10"));
        assertThat(engines.messages.getFirst().args())
                .contains("--cache=" + comm(source).resolve("cache"), "--max-cache-size=10");
        assertThat(comm(source).resolve("cache")).isEmptyDirectory();
    }

    @Test
    void aSourceThatIsInUseElsewhereOnTheNodeIsEndedLater() throws IOException {
        MountedSource source = publish("a", volume());
        mounts.setBusy(source.path());
        unpublish("a");
        assertThat(mounts.topAt(source.path())).isPresent();
        assertThat(comm(source).resolve("mount.exit")).isEmptyFile();
        mounts.setFree(source.path());
        mounter.sweep();
        assertNothingIsLeft();
    }

    @Test
    void aHundredAtOnceMakeOneMount() throws Exception {
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<MountedSource>> results = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                String target = "t" + i;
                results.add(calls.submit(() -> publish(target, volume())));
            }
            for (Future<MountedSource> result : results) {
                assertThat(result.get())
                        .extracting(MountedSource::device, type(DeviceNumber.class))
                        .isNotNull();
            }
        }
        assertThat(engines.starts).isEqualTo(1);
        assertThat(mounts.table()).hasSize(101);
    }
}
