package s3csi.mounter.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MemoryPlanTest {
    private static final long MIB = 1 << 20;
    private static final long HEAP = 48 * MIB;

    @TempDir
    private Path root;

    private void write(String file, String text) throws Exception {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    @Test
    void withoutLimitItIsAQuarterOfAGibibyte() {
        assertThat(MemoryPlan.budget(OptionalLong.empty(), OptionalLong.empty(), HEAP))
                .isEqualTo(256 * MIB);
    }

    @Test
    void ofALimitTheJvmTakesItsPart() {
        assertThat(MemoryPlan.budget(OptionalLong.empty(), OptionalLong.of(512 * MIB), HEAP))
                .isEqualTo(400 * MIB);
    }

    @Test
    void theUserWinsOverTheContainer() {
        assertThat(MemoryPlan.budget(OptionalLong.of(1024 * MIB), OptionalLong.of(512 * MIB), HEAP))
                .isEqualTo(912 * MIB);
    }

    @Test
    void thereIsAFloor() {
        assertThat(MemoryPlan.budget(OptionalLong.of(64 * MIB), OptionalLong.empty(), HEAP))
                .isEqualTo(64 * MIB);
    }

    @Test
    void theTightestLimitOfAllGroupsAboveCounts() throws Exception {
        write("proc/self/cgroup", "0::/a/b\n");
        write("sys/fs/cgroup/a/b/memory.max", "max\n");
        write("sys/fs/cgroup/a/memory.max", "1000000\n");
        write("sys/fs/cgroup/memory.max", "2000000\n");
        assertThat(MemoryPlan.containerLimit(root)).hasValue(1_000_000);
    }

    @Test
    void aContainerSeesItselfAsTheRoot() throws Exception {
        write("proc/self/cgroup", "0::/\n");
        write("sys/fs/cgroup/memory.max", "3000000\n");
        assertThat(MemoryPlan.containerLimit(root)).hasValue(3_000_000);
    }

    @Test
    void aGroupOutsideOfWhatWeSeeIsLeftAlone() throws Exception {
        write("proc/self/cgroup", "0::/../../elsewhere\n");
        write("sys/fs/elsewhere/memory.max", "5\n");
        assertThat(MemoryPlan.containerLimit(root)).isEmpty();
    }

    @Test
    void theOlderKindOfGroupsIsReadToo() throws Exception {
        write("proc/self/cgroup", "4:memory:/x\n");
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "4000000\n");
        assertThat(MemoryPlan.containerLimit(root)).hasValue(4_000_000);
    }

    @Test
    void noLimitIsNoNumber() throws Exception {
        assertThat(MemoryPlan.containerLimit(root)).isEmpty();
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        assertThat(MemoryPlan.containerLimit(root)).isEmpty();
    }
}
