package s3csi.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    @TempDir
    private Path directory;

    private MountTable table;

    @BeforeEach
    void writeTheTable() throws IOException {
        table = tableOf(TABLE);
    }

    private MountTable tableOf(String text) throws IOException {
        return new MountTable(Files.writeString(directory.resolve("mountinfo"), text));
    }

    @Test
    void skipsLinesThatAreNone() throws IOException {
        assertThat(table.select(_ -> true)).extracting(MountEntry::id).containsExactly(24, 30, 77, 78, 79, 80, 81);
    }

    @Test
    void readsEveryField() throws IOException {
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
    void undoesTheKernelsEscapes() throws IOException {
        MountEntry entry = table.topAt(Path.of("/odd name\twith\nnew\\line")).orElseThrow();
        assertThat(entry.source()).isEqualTo("s3 fs");
        assertThat(entry.isFuse()).isTrue();
    }

    @Test
    void anIncompleteEscapeStaysAsItIs() throws IOException {
        assertThat(MountEntry.unescape("a\\04")).isEqualTo("a\\04");
        assertThat(MountEntry.unescape("a\\09z")).isEqualTo("a\\09z");
        assertThat(MountEntry.unescape("\\303\\274")).isEqualTo("ü");
    }

    @Test
    void theLastMountAtAPathIsOnTop() throws IOException {
        Path path = Path.of("/pods/1/volumes/a/mount");
        assertThat(table.at(path)).extracting(MountEntry::type).containsExactly("fuse", "tmpfs");
        assertThat(table.topAt(path)).map(MountEntry::type).contains("tmpfs");
        assertThat(table.topAt(Path.of("/pods/1"))).isEmpty();
    }

    @Test
    void findsAllMountsOfADeviceAndThoseBelowADirectory() throws IOException {
        DeviceNumber device = new DeviceNumber(0, 51);
        assertThat(table.select(entry -> entry.device().equals(device))).hasSize(3);
        assertThat(table.select(entry -> entry.device().equals(device) && entry.isBelow(Path.of("/pods"))))
                .extracting(MountEntry::id)
                .containsExactly(78, 79);
        assertThat(table.any(entry -> entry.isBelow(Path.of("/pods/2")))).isTrue();
        assertThat(table.any(entry -> entry.isBelow(Path.of("/pod")))).isFalse();
        assertThat(table.select(entry -> entry.isBelow(Path.of("/")))).hasSize(6);
    }

    @Test
    void findsTheMountsThatAPathLiesIn() throws IOException {
        assertThat(table.select(entry -> entry.isAbove(Path.of("/pods/1/volumes/a/mount/sub"))))
                .extracting(MountEntry::id)
                .containsExactly(30, 78, 81);
        assertThat(table.select(entry -> entry.isAbove(Path.of("/pods/1/volumes/a/mount"))))
                .extracting(MountEntry::id)
                .containsExactly(30);
        assertThat(table.any(entry -> entry.isAbove(Path.of("/")))).isFalse();
        assertThat(table.select(entry -> entry.isAbove(Path.of("/sysfs"))))
                .extracting(MountEntry::id)
                .containsExactly(30);
    }

    @Test
    void whatWasMadeFirstMayBeOnTop() throws IOException {
        MountTable stacked = tableOf("""
                90 92 0:70 / /a rw - tmpfs last rw
                91 30 0:71 / /a rw - tmpfs first rw
                92 91 0:72 / /a rw - tmpfs second rw
                """);
        assertThat(stacked.topAt(Path.of("/a"))).map(MountEntry::source).contains("last");
    }

    @Test
    void linesLongerThanWhatIsReadAtOnceAreWhole() throws IOException {
        String deep = "/" + "d".repeat(10_000);
        MountTable large = tableOf("1 0 0:1 / " + deep + " rw - overlay o rw,lowerdir=" + "l".repeat(200_000)
                + "\n2 1 0:2 / /next rw - tmpfs t rw\n");
        assertThat(large.topAt(Path.of(deep))).map(MountEntry::type).contains("overlay");
        assertThat(large.topAt(Path.of("/next"))).map(MountEntry::source).contains("t");
    }

    @Test
    void aQuestionReadsNoFurtherThanItsAnswer() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        MountTable large = tableOf("9 1 0:9 / /pods/x/mount rw - fuse mountpoint-s3 rw\n".repeat(10_000));
        assertThat(large.any(_ -> asked.incrementAndGet() > 0)).isTrue();
        assertThat(asked).as("entries read after the answer was known").hasValue(1);
    }

    @Test
    void aReadOnlyBindIsReadOnlyThoughItsFileSystemIsNot() throws IOException {
        assertThat(table.topAt(Path.of("/pods/2/volumes/a/mount")).orElseThrow().isReadOnly())
                .isTrue();
    }

    @Test
    void readsTheTableOfThisMachine() throws Exception {
        assertThat(MountTable.current().topAt(Path.of("/proc")))
                .map(MountEntry::type)
                .contains("proc");
    }
}
