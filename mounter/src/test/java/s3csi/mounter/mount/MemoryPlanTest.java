package s3csi.mounter.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.mounter.config.StartFailure;

final class MemoryPlanTest {
    private static final long MIB = 1 << 20;
    private static final long HEAP = 32 * MIB;

    @TempDir
    private Path root;

    private void write(String file, String text) throws Exception {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    @Test
    void withoutLimitItIsAQuarterOfAGibibyteForData() throws StartFailure {
        assertThat(MemoryPlan.budget(OptionalLong.empty(), OptionalLong.empty(), HEAP))
                .isEqualTo(296 * MIB);
    }

    @Test
    void ofALimitTheJvmTakesItsPart() throws StartFailure {
        assertThat(MemoryPlan.budget(OptionalLong.empty(), OptionalLong.of(512 * MIB), HEAP))
                .isEqualTo(436 * MIB);
    }

    @Test
    void theLesserOfTheUsersAndTheContainersCounts() throws StartFailure {
        assertThat(MemoryPlan.budget(OptionalLong.of(1024 * MIB), OptionalLong.of(512 * MIB), HEAP))
                .isEqualTo(436 * MIB);
        assertThat(MemoryPlan.budget(OptionalLong.of(512 * MIB), OptionalLong.of(1024 * MIB), HEAP))
                .isEqualTo(436 * MIB);
    }

    @Test
    void aContainerWithoutRoomIsRefusedInWords() throws StartFailure {
        assertThat(MemoryPlan.budget(OptionalLong.empty(), OptionalLong.of(128 * MIB), HEAP))
                .isEqualTo(52 * MIB);
        assertThatThrownBy(() -> MemoryPlan.budget(OptionalLong.of(128 * MIB), OptionalLong.of(127 * MIB), HEAP))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("127 MiB")
                .hasMessageContaining("raise the container's memory limit");
    }

    @Test
    void theLeastTargetLeavesAsMuchAsTheLeastContainer() throws StartFailure {
        assertThat(MemoryPlan.budget(OptionalLong.of(128 * MIB), OptionalLong.empty(), HEAP))
                .isEqualTo(52 * MIB);
    }

    @Test
    void whatIsPlannedFitsIntoTheContainer() throws StartFailure {
        for (long limit = 128; limit <= 4096; limit += 32) {
            long data = MemoryPlan.budget(OptionalLong.empty(), OptionalLong.of(limit * MIB), HEAP);

            assertThat(data + HEAP + 44 * MIB).isLessThanOrEqualTo(limit * MIB);
            assertThat(MemoryPlan.waitingWrites(data)).isBetween(3 * MIB, 8 * MIB);
        }
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
    void theOlderKindHasGroupsInGroupsToo() throws Exception {
        write("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/a/b\n0::/\n");
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "6000000\n");
        write("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "5000000\n");
        assertThat(MemoryPlan.containerLimit(root)).hasValue(5_000_000);
    }

    @Test
    void noLimitIsNoNumber() throws Exception {
        assertThat(MemoryPlan.containerLimit(root)).isEmpty();
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        assertThat(MemoryPlan.containerLimit(root)).isEmpty();
    }
}
