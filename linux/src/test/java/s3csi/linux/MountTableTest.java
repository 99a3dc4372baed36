package s3csi.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MountTableTest {
    private static final String TABLE = """
            24 30 0:22 / /sys rw,nosuid,nodev,noexec,relatime shared:7 - sysfs sysfs rw
            30 1 253:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard
            77 30 0:51 / /plugin/mnt/a rw,nosuid,nodev,noatime shared:9 master:2 - fuse mountpoint-s3 rw,user_id=0,group_id=0
            78 30 0:51 / /pods/1/volumes/a/mount rw,nosuid,nodev,noatime - fuse mountpoint-s3 rw,user_id=0
            79 30 0:51 /sub /pods/2/volumes/a/mount ro,nosuid - fuse mountpoint-s3 rw,user_id=0
            80 30 0:52 / /odd\\040name\\011with\\012new\\134line rw - fuse.s3fs s3\\040fs rw
            81 78 0:60 / /pods/1/volumes/a/mount rw - tmpfs tmpfs rw
            torn line
            82 30 0:61""";

    private final MountTable table = MountTable.parse(TABLE);

    @Test
    void skipsLinesThatAreNone() {
        assertThat(table.entries()).extracting(MountEntry::id).containsExactly(24, 30, 77, 78, 79, 80, 81);
    }

    @Test
    void readsEveryField() {
        MountEntry entry = table.topAt(Path.of("/plugin/mnt/a")).orElseThrow();
        assertThat(entry.id()).isEqualTo(77);
        assertThat(entry.parent()).isEqualTo(30);
        assertThat(entry.device()).isEqualTo(new DeviceNumber(0, 51));
        assertThat(entry.root()).isEqualTo("/");
        assertThat(entry.options()).containsExactly("rw", "nosuid", "nodev", "noatime");
        assertThat(entry.shared()).isTrue();
        assertThat(entry.type()).isEqualTo("fuse");
        assertThat(entry.source()).isEqualTo("mountpoint-s3");
        assertThat(entry.superOptions()).containsExactly("rw", "user_id=0", "group_id=0");
        assertThat(entry.isFuse()).isTrue();
        assertThat(entry.isReadOnly()).isFalse();
    }

    @Test
    void undoesTheKernelsEscapes() {
        MountEntry entry = table.topAt(Path.of("/odd name\twith\nnew\\line")).orElseThrow();
        assertThat(entry.source()).isEqualTo("s3 fs");
        assertThat(entry.isFuse()).isTrue();
    }

    @Test
    void anIncompleteEscapeStaysAsItIs() {
        assertThat(MountEntry.unescape("a\\04")).isEqualTo("a\\04");
        assertThat(MountEntry.unescape("a\\09z")).isEqualTo("a\\09z");
        assertThat(MountEntry.unescape("\\303\\274")).isEqualTo("ü");
    }

    @Test
    void theLastMountAtAPathIsOnTop() {
        Path path = Path.of("/pods/1/volumes/a/mount");
        assertThat(table.at(path)).extracting(MountEntry::type).containsExactly("fuse", "tmpfs");
        assertThat(table.topAt(path)).map(MountEntry::type).contains("tmpfs");
        assertThat(table.topAt(Path.of("/pods/1"))).isEmpty();
    }

    @Test
    void findsAllMountsOfADeviceAndThoseBelowADirectory() {
        DeviceNumber device = new DeviceNumber(0, 51);
        assertThat(table.of(device)).hasSize(3);
        assertThat(table.references(device, Path.of("/pods")))
                .extracting(MountEntry::id)
                .containsExactly(78, 79);
        assertThat(table.references(device, Path.of("/pods/2/volumes/a/mount"))).hasSize(1);
        assertThat(table.references(device, Path.of("/pod"))).isEmpty();
        assertThat(table.references(device, Path.of("/"))).hasSize(3);
    }

    @Test
    void aReadOnlyBindIsReadOnlyThoughItsFileSystemIsNot() {
        assertThat(table.topAt(Path.of("/pods/2/volumes/a/mount")).orElseThrow().isReadOnly())
                .isTrue();
    }

    @Test
    void readsTheTableOfThisMachine() throws Exception {
        assertThat(MountTable.read().topAt(Path.of("/proc")))
                .map(MountEntry::type)
                .contains("proc");
    }
}
