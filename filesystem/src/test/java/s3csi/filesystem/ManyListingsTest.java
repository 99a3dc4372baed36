package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.filesystem.testing.Errors.assertErrno;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.filesystem.testing.FakeKernel;
import s3csi.filesystem.testing.Mounted;
import s3csi.linux.Errno;
import s3csi.linux.FileFlags;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;
import s3csi.s3.testing.Fault;

/** More directories are read at the same time than may have pages in memory. */
class ManyListingsTest {
    private static final FileSystemConfig ONE_AT_A_TIME = Mounted.config()
            .withLimits(Mounted.LIMITS.withListings(1))
            .withPermissions(FileSystemConfig.Permissions.DEFAULTS.withDelete());

    @Test
    void listingsThatTakeTurnsHaveAllNames() throws InterruptedException {
        try (Mounted mount = Mounted.with(ONE_AT_A_TIME)) {
            for (int i = 0; i < 2500; i++) {
                mount.put("d/f%04d".formatted(i), "");
            }
            List<List<String>> listed = Collections.synchronizedList(new ArrayList<>());
            List<Thread> readers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                readers.add(Thread.ofVirtual().start(() -> listed.add(mount.kernel.ls("d"))));
            }
            for (Thread each : readers) {
                each.join();
            }

            assertThat(listed).hasSize(20);
            assertThat(new HashSet<>(listed)).hasSize(1);
            assertThat(listed.getFirst()).hasSize(2500).doesNotHaveDuplicates();
        }
    }

    @Test
    void oneThatIsReadAgainAfterItsPageWasTakenGoesOn() {
        try (Mounted mount = Mounted.with(ONE_AT_A_TIME)) {
            for (String key : List.of("d/a", "d/b", "d/c", "d/e", "other/x")) {
                mount.put(key, "");
            }
            FakeKernel.File directory = mount.kernel.opendir("d");
            assertThat(names(mount.kernel.readdirplus(directory, 0, 4))).containsExactly(".", "..", "a", "b");

            leaveAlone(mount);
            mount.kernel.unlink("d/a");

            // What its last answer held is there, whatever went from before it.
            assertThat(names(mount.kernel.readdirplus(directory, 3, 1))).containsExactly("b");
            leaveAlone(mount);
            assertThat(names(mount.kernel.readdirplus(directory, 4, 9))).containsExactly("c", "e");
            leaveAlone(mount);
            assertThat(names(mount.kernel.readdirplus(directory, 6, 9))).isEmpty();
            assertThat(names(mount.kernel.readdirplus(directory, 2, 9))).containsExactly("b", "c", "e");
        }
    }

    @Test
    void aFailureToFetchThePageAgainIsToldAndMendedByTheNext() {
        try (Mounted mount = Mounted.with(ONE_AT_A_TIME)) {
            for (String key : List.of("d/a", "d/b", "d/c", "other/x")) {
                mount.put(key, "");
            }
            FakeKernel.File directory = mount.kernel.opendir("d");
            mount.kernel.readdirplus(directory, 0, 3);
            leaveAlone(mount);

            mount.faults.always(StoreOperation.LIST_OBJECTS, new Fault.Fail(new StoreFailure.ServerError()));
            assertErrno(Errno.EIO, () -> mount.kernel.readdirplus(directory, 3, 9));
            mount.faults.heal();
            leaveAlone(mount);

            assertThat(names(mount.kernel.readdirplus(directory, 3, 9))).containsExactly("b", "c");
        }
    }

    /** Whatever happens between two reads: a name that is there all the time comes once, one that never was does not come. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void noNameIsLostOrComesTwice(long seed) {
        RandomGenerator random = new Random(seed);
        try (Mounted mount = Mounted.with(ONE_AT_A_TIME)) {
            mount.put("other/x", "");
            TreeSet<String> stored = new TreeSet<>();
            for (int i = 0; i < 1500; i++) {
                // Names that a directory behind them may hide, and such directories.
                String name = "n%03d".formatted(random.nextInt(900)) + "-".repeat(random.nextInt(3));
                boolean isDirectory = random.nextInt(10) == 0;
                mount.put("d/" + name + (isDirectory ? "/x" : ""), "");
                stored.add(name);
            }
            List<FakeKernel.File> open = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                String name = "n%03d+".formatted(random.nextInt(900));
                if (stored.add(name)) {
                    open.add(mount.kernel.create("d/" + name, FileFlags.O_WRONLY));
                }
            }
            Set<String> removed = new HashSet<>();
            List<String> seen = new ArrayList<>();
            FakeKernel.File directory = mount.kernel.opendir("d");
            long offset = 0;
            while (true) {
                List<FakeKernel.Listed> some = mount.kernel.readdirplus(directory, offset, 1 + random.nextInt(300));
                if (some.isEmpty()) {
                    break;
                }
                // The reader may have had no room for all.
                int taken = 1 + random.nextInt(some.size());
                seen.addAll(names(some.subList(0, taken)));
                offset = some.get(taken - 1).nextOffset();
                if (random.nextBoolean()) {
                    leaveAlone(mount);
                }
                for (int i = random.nextInt(5); i > 0; i--) {
                    String name = "n%03d".formatted(random.nextInt(900));
                    if (mount.memory.find("d/" + name) != null && mount.memory.find("d/" + name + "/x") == null) {
                        mount.kernel.unlink("d/" + name);
                        removed.add(name);
                    }
                }
            }
            seen.removeAll(List.of(".", ".."));
            open.forEach(mount.kernel::close);

            assertThat(seen).as("seed %d", seed).doesNotHaveDuplicates();
            assertThat(stored).as("seed %d", seed).containsAll(seen);
            stored.removeAll(removed);
            assertThat(seen).as("seed %d", seed).containsAll(stored);
        }
    }

    private static void leaveAlone(Mounted mount) {
        mount.clock.advance(Duration.ofSeconds(2));
        assertThat(mount.kernel.ls("other")).containsExactly("x");
    }

    private static List<String> names(List<FakeKernel.Listed> listed) {
        return listed.stream().map(FakeKernel.Listed::name).toList();
    }
}
