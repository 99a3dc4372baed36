package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.filesystem.WriteTest.content;
import static s3csi.filesystem.testing.Errors.assertErrno;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import s3csi.filesystem.testing.Eventually;
import s3csi.filesystem.testing.FakeKernel;
import s3csi.filesystem.testing.Mounted;
import s3csi.linux.Errno;
import s3csi.linux.FileFlags;
import s3csi.s3.StoreOperation;
import s3csi.s3.testing.Fault;

/** More files written at once than memory has parts for. */
class ManyWritersTest {
    private static final int WRONLY = FileFlags.O_WRONLY;
    private static final int MIB = 1 << 20;

    private static FileSystemConfig config() {
        FileSystemConfig config = Mounted.config();
        return config.withUploads(
                config.uploads().withPartSize(8 * MIB).withParallelParts(8).withPatience(Duration.ofMinutes(5)));
    }

    @ParameterizedTest
    @CsvSource({"20, 9", "40, 20"})
    void theyTakeTurns(int writers, int mebibytes) throws InterruptedException {
        byte[] content = content(mebibytes * MIB);
        try (Mounted mount = Mounted.with(config())) {
            mount.faults.always(StoreOperation.UPLOAD_PART, new Fault.Delay(Duration.ofMillis(20)));
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                String name = "f" + i;
                int step = List.of(MIB, 100_000, 131_072).get(i % 3);
                threads.add(Thread.ofVirtual().start(() -> mount.kernel.writeAll(name, content, step)));
            }
            for (Thread thread : threads) {
                assertThat(thread.join(Duration.ofMinutes(5))).isTrue();
            }

            for (int i = 0; i < writers; i++) {
                assertThat(Arrays.equals(mount.storedBytes("f" + i), content))
                        .as("content of f%d", i)
                        .isTrue();
            }
            assertThat(mount.pool.peak()).isLessThanOrEqualTo(mount.pool.budget());
            assertAllIsGivenBack(mount);
        }
    }

    @Test
    void oneProgramMayHaveManySmallFilesOpen() {
        try (Mounted mount = Mounted.with(config(), 64L * MIB)) {
            List<FakeKernel.File> files = new ArrayList<>();
            for (int i = 0; i < 80; i++) {
                files.add(mount.kernel.create("f" + i, WRONLY));
                mount.kernel.write(files.getLast(), 0, content(1000));
            }
            // Any of them may grow, more than memory has parts for, and by turns.
            for (int i = 0; i < 12; i++) {
                mount.kernel.write(files.get(i), 1000, content(2 * MIB));
                mount.kernel.flush(files.get(i));
            }
            files.forEach(mount.kernel::close);

            assertThat(mount.storedBytes("f0")).hasSize(1000 + 2 * MIB);
            assertThat(mount.storedBytes("f79")).isEqualTo(content(1000));
            assertAllIsGivenBack(mount);
        }
    }

    @ParameterizedTest
    @CsvSource({"8, 6", "5, 9"})
    void oneThreadWritesByTurnsToAsManyLargeFilesAsThereArePartsInThreeQuartersOfTheMemory(int mebibytes, int most) {
        FileSystemConfig config = config();
        config = config.withUploads(
                config.uploads().withPartSize((long) mebibytes * MIB).withPatience(Duration.ofMillis(100)));
        try (Mounted mount = Mounted.with(config, 76L * MIB)) {
            List<FakeKernel.File> files = new ArrayList<>();
            for (int i = 0; i < most; i++) {
                files.add(mount.kernel.create("f" + i, WRONLY));
            }
            byte[] piece = content(MIB);
            for (int round = 0; round < 12; round++) {
                for (FakeKernel.File file : files) {
                    assertThat(mount.kernel.write(file, (long) round * MIB, piece))
                            .isEqualTo(MIB);
                }
            }
            // Now all of them have begun a part, and one more finds no room.
            for (FakeKernel.File file : files) {
                mount.kernel.write(file, 12L * MIB, content(2 * MIB));
            }
            FakeKernel.File more = mount.kernel.create("more", WRONLY);
            assertErrno(Errno.ENOMEM, () -> mount.kernel.write(more, 0, content(2 * MIB)));
            mount.kernel.release(more);

            files.forEach(mount.kernel::close);
            for (int i = 0; i < most; i++) {
                assertThat(mount.storedBytes("f" + i)).hasSize(14 * MIB);
            }
            assertAllIsGivenBack(mount);
        }
    }

    @Test
    void idleFilesDoNotStopOthersForEver() {
        FileSystemConfig config = config();
        try (Mounted mount =
                Mounted.with(config.withUploads(config.uploads().withPatience(Duration.ofMillis(100))), 76L * MIB)) {
            List<FakeKernel.File> idle = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                idle.add(mount.kernel.create("idle" + i, WRONLY));
                mount.kernel.write(idle.getLast(), 0, content(2 * MIB));
            }
            FakeKernel.File file = mount.kernel.create("f", WRONLY);

            assertErrno(Errno.ENOMEM, () -> mount.kernel.write(file, 0, content(2 * MIB)));
            assertErrno(Errno.ENOMEM, () -> mount.kernel.write(file, 0, content(10)));
            assertErrno(Errno.ENOMEM, () -> mount.kernel.flush(file));
            mount.kernel.release(file);
            assertThat(mount.memory.find("f")).isNull();
            mount.kernel.writeAll("small", content(MIB), MIB);
            mount.kernel.close(idle.getFirst());
            mount.kernel.writeAll("f", content(2 * MIB), MIB);

            assertThat(mount.storedBytes("f")).isEqualTo(content(2 * MIB));
            idle.subList(1, 6).forEach(mount.kernel::close);
            assertThat(mount.storedBytes("idle5")).isEqualTo(content(2 * MIB));
            assertAllIsGivenBack(mount);
        }
    }

    private static void assertAllIsGivenBack(Mounted mount) {
        Eventually.that(() -> mount.heldForData() == 0);
        assertThat(mount.pool.waiting()).isZero();
    }
}
