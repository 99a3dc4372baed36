package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.filesystem.testing.Eventually;
import s3csi.filesystem.testing.FakeKernel;
import s3csi.filesystem.testing.Mounted;
import s3csi.linux.FileFlags;
import s3csi.s3.StoreOperation;
import s3csi.s3.testing.Fault;

/** A hundred files read and twenty written at once, with little memory: all bytes are right, and the budget holds. */
class MemoryPromiseTest {
    private static final int MIB = 1 << 20;
    private static final int READERS = 100;
    private static final int WRITERS = 20;
    private static final int READ = 128 * 1024;
    private static final byte[] OBJECT = random(8 * MIB, 1);
    private static final byte[] FILE = random(9 * MIB, 2);

    @ParameterizedTest
    @ValueSource(ints = {52, 128})
    void theBudgetHolds(int mebibytes) throws Exception {
        FileSystemConfig config = FileSystemConfig.defaults(0, 0);
        try (Mounted mount = Mounted.with(config, (long) mebibytes * MIB)) {
            mount.faults.always(StoreOperation.GET_OBJECT, new Fault.Delay(Duration.ofMillis(2)));
            mount.faults.always(StoreOperation.UPLOAD_PART, new Fault.Delay(Duration.ofMillis(10)));
            for (int i = 0; i < READERS; i++) {
                mount.memory.add("r" + i, OBJECT);
            }
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<?>> all = new ArrayList<>();
                for (int i = 0; i < READERS; i++) {
                    String name = "r" + i;
                    int seed = i;
                    all.add(threads.submit(() -> read(mount.kernel, name, seed)));
                }
                for (int i = 0; i < WRITERS; i++) {
                    String name = "w" + i;
                    all.add(threads.submit(() -> mount.kernel.writeAll(name, FILE, MIB)));
                }
                for (Future<?> each : all) {
                    each.get();
                }
            }

            for (int i = 0; i < WRITERS; i++) {
                assertSame(mount.storedBytes("w" + i), FILE);
            }
            assertThat(mount.pool.peak()).isLessThanOrEqualTo(mount.pool.budget());
            Eventually.that(() -> mount.heldForData() == 0);
            assertThat(mount.pool.waiting()).isZero();
            // A request gives its memory back, and then says that it has ended.
            Eventually.that(() -> !mount.isReading());
        }
    }

    /** Every other one from the beginning to the end, the others here and there. */
    private static void read(FakeKernel kernel, String name, int seed) {
        FakeKernel.File file = kernel.open(name, FileFlags.O_RDONLY);
        Random random = new Random(seed);
        for (int i = 0; i < 3 * MIB / READ; i++) {
            int at = seed % 2 == 0 ? i * READ : random.nextInt(OBJECT.length - READ);
            assertSame(kernel.read(file, at, READ), Arrays.copyOfRange(OBJECT, at, at + READ));
        }
        kernel.close(file);
    }

    private static void assertSame(byte[] actual, byte[] expected) {
        assertThat(Arrays.equals(actual, expected)).as("the bytes are right").isTrue();
    }

    private static byte[] random(int size, long seed) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
