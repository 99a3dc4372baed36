package s3csi.filesystem.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any reads, in any order, by any number of threads, return what the object has there. */
final class ObjectReaderModelTest extends ReaderFixture {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void readsReturnTheContent(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        int part = ((128 * KIB) << random.nextInt(7)) + (random.nextBoolean() ? random.nextInt(100_000) : 0);
        readers.close();
        readers = new Readers(watched.store(), pool, ReadSettings.DEFAULT.withPartSize(part));
        memory.chunksOf(1 + random.nextInt(300 * KIB));
        long size = 1 + random.nextLong(40L * MIB);
        ObjectReader reader = openRamp(size);
        int threads = 1 + random.nextInt(4);
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                SplittableRandom own = random.split();
                all.add(pool.submit(() -> {
                    readAbout(reader, size, own);
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
        reader.close();
        whenQuiet();
        assertThat(pool.used()).isZero();
    }

    /** Runs forwards, with steps back and skips, then a jump. */
    private static void readAbout(ObjectReader reader, long size, SplittableRandom random) throws Exception {
        for (int run = 0; run < 12; run++) {
            long offset = random.nextInt(4) == 0 ? 0 : random.nextLong(size);
            int usual = 1 + random.nextInt(MIB);
            int reads = 1 + random.nextInt(30);
            for (int i = 0; i < reads; i++) {
                int length = random.nextInt(5) == 0 ? 1 + random.nextInt(MIB) : usual;
                check(reader, offset, length);
                long step = random.nextInt(10) == 0 ? random.nextLong(2 * MIB) - MIB : length;
                offset = Math.max(0, offset + step);
            }
        }
    }
}
