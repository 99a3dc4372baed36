package s3csi.driver.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.driver.node.PublishRequests;
import s3csi.driver.node.Published;
import s3csi.driver.node.kernel.FakeMounts;
import s3csi.driver.node.kernel.MountCalls;
import s3csi.driver.node.kernel.Pulse;
import s3csi.driver.node.process.FakeEngines.Behaviour;
import s3csi.driver.node.source.MountedSource;
import s3csi.driver.node.source.SourceIdentity;
import s3csi.linux.DeviceNumber;
import s3csi.linux.Mounts.Unmount;

/** What becomes of sources whose engine or driver is gone. */
class LeftSourcesTest extends ProcessMounterStage {
    LeftSourcesTest(@TempDir Path scratch) throws IOException {
        super(scratch);
    }

    @Test
    void whatASourceWasMountedForIsKnownToTheNextDriver() throws IOException {
        MountedSource source = publish("a", volume());
        mounter = newMounter();
        Published published = mounter.published(target("a"), source.device()).orElseThrow();
        assertThat(published.readOnly()).contains(false);
        assertThat(published.differenceTo(volume("allow-delete"))).isEmpty();
        for (NodePublishVolumeRequest.Builder other : List.of(
                PublishRequests.publish(targets.resolve("x")).setVolumeId("volume-2"),
                PublishRequests.publish(targets.resolve("x")).putVolumeContext("bucketName", "other"),
                PublishRequests.publish(targets.resolve("x")).setVolumeCapability(PublishRequests.ofGroup("7")))) {
            assertThat(published.differenceTo(read(other)))
                    .hasValueSatisfying(words -> assertThat(words).contains("mounted there already"));
        }
        assertThat(mounter.published(target("b"), source.device()).orElseThrow().readOnly())
                .isEmpty();
        assertThat(mounter.published(target("a"), new DeviceNumber(0, 4711))).isEmpty();
    }

    @Test
    void aSourceIsUsedWhereverItsDeviceIsMounted() throws IOException {
        MountedSource source = publish("a", volume());
        Path elsewhere = targets.resolveSibling("elsewhere").resolve("b");
        mounts.bind(source.path(), elsewhere, false);
        mounts.unmount(targets.resolve("a"), Unmount.PLAIN);
        mounter = newMounter();
        mounter.sweep();
        assertThat(mounts.topAt(source.path())).isPresent();
        assertThat(comm(source).resolve("mount.exit")).doesNotExist();
        mounts.unmount(elsewhere, Unmount.PLAIN);
        mounter.sweep();
        assertNothingIsLeft();
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
        refresh(source, volume());
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
        begun.create(SourceIdentity.of(volume()));
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
        left.create(SourceIdentity.of(volume()));
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
}
