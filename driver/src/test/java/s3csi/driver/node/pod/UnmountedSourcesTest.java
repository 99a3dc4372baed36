package s3csi.driver.node.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import s3csi.driver.Eventually;
import s3csi.driver.node.kernel.FakeMounts;
import s3csi.driver.node.kernel.Pulse;
import s3csi.linux.DeviceNumber;
import s3csi.linux.MountEntry;
import s3csi.linux.Mounts.Unmount;
import s3csi.volume.StoreKeys;
import s3csi.volume.VolumeFailure;

/** Somebody unmounts a source at its place. */
@Timeout(60)
class UnmountedSourcesTest extends PodMounterStage {
    UnmountedSourcesTest(@TempDir Path scratch) throws IOException {
        super(scratch);
    }

    /** Of mp-1, with w-1 as its only workload so far. */
    private DeviceNumber unmountedWhileInUse() throws IOException {
        runPod("mp-1", "w-1", "w-2");
        publish("w-1", volume());
        DeviceNumber device = device(source("mp-1"));
        mounts.unmount(source("mp-1"), Unmount.PLAIN);
        return device;
    }

    @Test
    void itIsPutBackFromATargetForTheNextWorkload() throws IOException {
        DeviceNumber device = unmountedWhileInUse();
        publish("w-2", volume());
        assertThat(device(source("mp-1"))).isEqualTo(device);
        assertThat(device(target("w-2").path())).isEqualTo(device);
        assertThat(pods.messages).hasSize(1);
    }

    @Test
    void itsTargetsKeepTheirKeysUpToDate() throws IOException {
        unmountedWhileInUse();
        driverKeys = new StoreKeys("DRIVER", "rotated", Optional.empty());
        assertThat(mounter.published(target("w-1"), device(target("w-1").path())))
                .isPresent();
        refresh("w-1", volume());
        assertThat(keysOf("mp-1")).contains("rotated");
    }

    @Test
    void itEndsWithItsLastTarget() throws IOException {
        unmountedWhileInUse();
        objects.put("mp-1", PodObjects.NO_SECRET + "," + PodObjects.NEEDS_UNMOUNT, PodObjects.RUNNING);
        awaitLook();
        assertThat(notes("mp-1")).exists();
        unpublish("w-1");
        awaitEnd("mp-1");
        assertNothingIsLeft();
    }

    @Test
    void oneThatOnlyAStrangeMountShowsIsToldInWordsAndItsNotesStay() throws IOException {
        unmountedWhileInUse();
        mounts.bind(target("w-1").path(), plugin.resolveSibling("by-hand"), false);
        mounts.unmount(target("w-1").path(), Unmount.PLAIN);
        assertThatThrownBy(() -> publish("w-2", volume()))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("was unmounted by hand")
                .hasMessageContaining("no-new-workload=true");
        assertThat(notes("mp-1").resolve("served")).exists();
        mounts.unmount(plugin.resolveSibling("by-hand"), Unmount.PLAIN);
        publish("w-2", volume());
        assertThat(pods.messages).hasSize(2);
    }

    @Test
    void oneThatIsDeadIsMountedAnew() throws IOException {
        DeviceNumber device = unmountedWhileInUse();
        mounts.setPulse(device, FakeMounts.DEAD);
        publish("w-2", volume());
        assertThat(device(source("mp-1"))).isNotEqualTo(device);
        assertThat(pods.messages).hasSize(2);
    }

    @Test
    void oneThatIsSilentIsLeftAlone() throws IOException {
        DeviceNumber device = unmountedWhileInUse();
        mounts.setPulse(device, new Pulse.Silent());
        assertThatThrownBy(() -> publish("w-2", volume()))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("did not answer");
        assertThat(isMounted("mp-1")).isFalse();
        mounts.setPulse(device, FakeMounts.ALIVE);
        publish("w-2", volume());
        assertThat(device(target("w-2").path())).isEqualTo(device);
    }

    /** The kernel gives the number of a device that is gone to the next one. */
    @Test
    void theSourceOfAnotherPodOnTheSameDeviceIsNotTakenForIt() throws IOException {
        DeviceNumber device = unmountedWhileInUse();
        mounts.unmount(target("w-1").path(), Unmount.PLAIN);
        assign("mp-1", "w-2");
        Eventually.until(
                "w-1 has left",
                () -> assignments
                        .attachmentOf("mp-1")
                        .filter(attachment -> attachment.podsOf("w-1").isEmpty())
                        .isPresent());
        runPod("mp-2", "w-1");
        publish("w-1", volume());
        renumber(device(source("mp-2")), device);
        publish("w-2", volume());
        assertThat(device(source("mp-1"))).isNotEqualTo(device);
        assertThat(device(target("w-2").path())).isEqualTo(device(source("mp-1")));
        assertThat(pods.messages).hasSize(3);
    }

    private void renumber(DeviceNumber from, DeviceNumber to) {
        List<MountEntry> table = new ArrayList<>();
        for (MountEntry entry : mounts.table()) {
            table.add(
                    entry.device().equals(from)
                            ? new MountEntry(
                                    entry.id(),
                                    entry.parent(),
                                    to,
                                    entry.root(),
                                    entry.mountPoint(),
                                    entry.options(),
                                    entry.shared(),
                                    entry.type(),
                                    entry.source(),
                                    entry.superOptions())
                            : entry);
        }
        mounts.show(table);
    }

    /** Whoever tries again needs them, and so do targets that are still there. */
    @Test
    void aTryThatFailsKeepsTheNotesOfASourceThatServed() throws IOException {
        runPod("mp-1", "w-1", "w-2");
        publish("w-1", volume());
        mounts.setPulse(device(source("mp-1")), FakeMounts.DEAD);
        mounts.refused = "mount";
        assertThatThrownBy(() -> publish("w-2", volume())).isInstanceOf(VolumeFailure.class);
        assertThat(notes("mp-1").resolve("identity")).exists();
        try (var targets = Files.list(notes("mp-1").resolve("targets"))) {
            assertThat(targets).hasSize(1);
        }
        mounts.refused = null;
        publish("w-2", volume());
    }
}
