package s3csi.driver.node.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import s3csi.driver.node.kernel.FakeMounts;
import s3csi.linux.DeviceNumber;
import s3csi.linux.MountEntry;

class SourceUsesTest {
    private static final Path PLUGIN = Path.of("/var/lib/kubelet/plugins/s3");
    private static final DeviceNumber DISK = new DeviceNumber(8, 1);
    private static final DeviceNumber SOURCE = new DeviceNumber(0, 50);

    private final List<MountEntry> table = new ArrayList<>(List.of(
            mount(1, 0, DISK, "/", "/"),
            mount(2, 1, DISK, "/var/lib/kubelet/plugins/s3", "/csi"),
            mount(3, 1, SOURCE, "/", PLUGIN + "/mnt/mp-1")));

    private static MountEntry mount(int id, int parent, DeviceNumber device, String root, String at) {
        return new MountEntry(id, parent, device, root, at, Set.of("rw"), true, "fuse", "mountpoint-s3", Set.of());
    }

    private boolean isUsed() {
        FakeMounts mounts = new FakeMounts();
        mounts.show(table);
        return new SourceUses(mounts, PLUGIN).exist(SOURCE);
    }

    @Test
    void aSourceAloneIsNotUsed() {
        assertThat(isUsed()).isFalse();
    }

    @Test
    void itsCopyWhereThePluginDirectoryIsShownOnceMoreIsNoUse() {
        table.add(mount(4, 2, SOURCE, "/", "/csi/mnt/mp-1"));
        assertThat(isUsed()).isFalse();
    }

    @Test
    void everyOtherPlaceIsAUse() {
        for (String place : List.of("/var/lib/kubelet/pods/uid/mount", "/mnt/by-hand", "/csi/elsewhere", "/csi")) {
            table.add(mount(4, place.startsWith("/csi/") ? 2 : 1, SOURCE, "/", place));
            assertThat(isUsed()).as(place).isTrue();
            table.removeLast();
        }
    }

    @Test
    void aBindOfADirectoryInItIsAUse() {
        table.add(mount(4, 1, SOURCE, "/data", "/var/lib/kubelet/pods/uid/volume-subpaths/data/0"));
        assertThat(isUsed()).isTrue();
    }

    @Test
    void otherDevicesDoNotCount() {
        table.add(mount(4, 1, new DeviceNumber(0, 51), "/", "/var/lib/kubelet/pods/uid/mount"));
        assertThat(isUsed()).isFalse();
    }
}
