package s3csi.filesystem.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static s3csi.filesystem.testing.Eventually.eventually;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.filesystem.cache.CacheSettings;
import s3csi.filesystem.cache.CachedObject;
import s3csi.filesystem.cache.DiskCache;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;
import s3csi.s3.testing.Content;
import s3csi.s3.testing.Fault;
import s3csi.s3.testing.StoredObject;

/** Reading with a cache on disk. */
final class CachedReadTest extends ReaderFixture {
    @TempDir
    Path directory;

    private DiskCache cache;

    @BeforeEach
    void openCache() {
        cache = new DiskCache(CacheSettings.in(directory, "bucket").withLimit(1L << 30), pool);
        useCache();
    }

    /** Before the fixture looks at the memory. */
    @AfterEach
    void closeCache() {
        readers.close();
        cache.close();
    }

    private void useCache() {
        readers.close();
        readers = new Readers(watched.store(), pool, ReadSettings.DEFAULT, cache);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4096, MIB, 3 * MIB + 5, 40 * MIB + 77})
    void theSecondTimeItComesFromTheDisk(int size) throws Exception {
        readAll(openRamp(size), size);
        stored(size);
        int before = watched.asked().size();
        readAll(openRamp(size), size);
        assertThat(watched.asked()).hasSize(before);
        assertThat(cache.counters().hits()).isPositive();
    }

    @Test
    void randomReadsFillWholeBlocks() throws Exception {
        ObjectReader reader = openRamp(1L << 30);
        check(reader, 500L * MIB + 300 * KIB, 4096);
        eventually("the block is stored", () -> cache.counters().stored() == 1);
        reader.close();
        int before = watched.asked().size();
        check(openRamp(1L << 30), 500L * MIB + 900 * KIB, 4096);
        assertThat(watched.asked()).hasSize(before);
    }

    @Test
    void blocksOnDiskAndBlocksInTheStoreMakeOneFile() throws Exception {
        long size = 64 * MIB;
        ObjectReader some = openRamp(size);
        for (long block = 1; block < 64; block += 3) {
            check(some, block * MIB, 4096);
            long wanted = (block + 2) / 3;
            eventually("the block is stored", () -> cache.counters().stored() >= wanted);
        }
        some.close();
        long before = watched.received();
        readAll(openRamp(size), size);
        assertThat(watched.received() - before).as("bytes from the store").isEqualTo(size - 21 * MIB);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "größe/日本/\uD83D\uDE42", "a b$~:@+'\"\n", "1024"})
    void blocksOfAnyKeyComeFromTheDisk(String name) throws Exception {
        // The longest key there is.
        String key = name.equals("1024") ? "k".repeat(1024) : name;
        int size = MIB + 5;
        for (int round = 0; round < 2; round++) {
            readAll(open(memory.addRamp(key, size, SEED)), size);
            eventually("both blocks are written", () -> cache.counters().stored() == 2);
        }
        assertThat(watched.received()).isEqualTo(size);
    }

    @Test
    void aReplacedObjectIsReadFromTheOldBlocksOrNotAtAllAndTheNewOneFromTheStore() throws Exception {
        long size = 40 * MIB;
        ObjectReader old = openRamp(size);
        check(old, 3 * MIB, 4096);
        eventually("the block is stored", () -> cache.counters().stored() == 1);
        StoredObject replaced = memory.addRamp("object", size, SEED + 1);

        check(old, 3 * MIB + 500 * KIB, 4096);
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> read(old, 20 * MIB, 4096))
                .satisfies(e -> assertThat(e.failure()).isInstanceOf(StoreFailure.PreconditionFailed.class));
        old.close();

        for (int round = 0; round < 2; round++) {
            try (ObjectReader fresh = open(replaced)) {
                for (long offset = 0; offset < 8 * MIB; offset += 512 * KIB) {
                    byte[] bytes = read(fresh, offset, 4096);
                    for (int i = 0; i < bytes.length; i++) {
                        assertThat(bytes[i]).isEqualTo(Content.Ramp.byteAt(SEED + 1, offset + i));
                    }
                }
            }
            whenQuiet();
        }
    }

    @Test
    void corruptBlocksComeFromTheStoreAgain() throws Exception {
        int size = 10 * MIB;
        readAll(openRamp(size), size);
        stored(size);
        for (Path file : files()) {
            byte[] bytes = Files.readAllBytes(file);
            bytes[bytes.length / 2] ^= 4;
            Files.write(file, bytes);
        }
        readAll(openRamp(size), size);
        assertThat(cache.counters().failures()).isPositive();
    }

    @Test
    void aDiskThatVanishesIsNotNoticedByReaders() throws Exception {
        int size = 20 * MIB;
        readAll(openRamp(size), size);
        stored(size);
        for (Path file : files()) {
            Files.delete(file);
        }
        readAll(openRamp(size), size);
    }

    @Test
    void anUnusableDirectoryIsNotNoticedByReaders() throws Exception {
        cache.close();
        cache = new DiskCache(CacheSettings.in(Files.createFile(directory.resolve("file")), "bucket"), pool);
        useCache();
        readAll(openRamp(20 * MIB), 20 * MIB);
        readAll(openRamp(MIB), MIB);
        assertThat(cache.counters().stored()).isZero();
    }

    @Test
    void bytesThatFailTheirChecksumAreNotStored() throws Exception {
        int size = 3 * MIB;
        faulty.at(StoreOperation.GET_OBJECT, 1, new Fault.FailAfter(size, new StoreFailure.Integrity()));
        ObjectReader reader = openRamp(size);

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> check(reader, size - 1, 1))
                .satisfies(e -> assertThat(e.failure()).isInstanceOf(StoreFailure.Integrity.class));

        assertNothingWasStored(reader);
    }

    /** What arrived may be right, but only the end of a whole object could tell. */
    @ParameterizedTest
    @ValueSource(ints = {MIB, 2 * MIB, 2 * MIB + 5})
    void theBeginningOfAnObjectWhoseEndNeverCameIsNotStored(int arrived) throws Exception {
        int size = 3 * MIB;
        faulty.at(StoreOperation.GET_OBJECT, 1, new Fault.FailAfter(arrived, new StoreFailure.ServerError()));
        ObjectReader reader = openRamp(size);

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> check(reader, size - 1, 1))
                .satisfies(e -> assertThat(e.failure()).isInstanceOf(StoreFailure.ServerError.class));

        assertNothingWasStored(reader);
    }

    /** Blocks are written one after the other: when one that came later is there, those before it are written or never will be. */
    private void assertNothingWasStored(ObjectReader reader) throws Exception {
        whenQuiet();
        reader.close();
        StoredObject good = memory.addRamp("good", MIB, SEED);
        readAll(open(good), MIB);
        CachedObject block =
                cache.object("good", Objects.requireNonNull(good.info().etag()));
        eventually("a later block is written", () -> block.isStored(0));
        assertThat(cache.counters().stored()).isEqualTo(1);
        assertThat(files()).hasSize(1);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void anyReadsReturnTheContent(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        readers.close();
        // Parts that blocks divide, parts smaller than a block, and parts that end within one.
        int part = List.of(8 * MIB, 256 * KIB, 3 * MIB + 700_001, 8 * MIB + 1).get((int) (seed % 4));
        readers = new Readers(watched.store(), pool, ReadSettings.DEFAULT.withPartSize(part), cache);
        long size = 1 + random.nextLong(30L * MIB);
        for (int round = 0; round < 3; round++) {
            try (ObjectReader reader = openRamp(size)) {
                for (int run = 0; run < 10; run++) {
                    long offset = random.nextLong(size);
                    for (int i = random.nextInt(20); i >= 0; i--) {
                        int length = 1 + random.nextInt(500 * KIB);
                        check(reader, offset, length);
                        offset += length;
                    }
                }
            }
        }
    }

    @Test
    void manyReadersOfBlocksThatComeAndGoReadWhatTheObjectsHave() throws Exception {
        readers.close();
        cache.close();
        // Far fewer than are read, so that each is thrown out for another all the time.
        cache = new DiskCache(CacheSettings.in(directory, "bucket").withLimit(6L * MIB), pool);
        useCache();
        List<StoredObject> objects = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            objects.add(memory.addRamp("object" + i, 5 * MIB + i, SEED));
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                StoredObject object = objects.get(i % objects.size());
                SplittableRandom random = new SplittableRandom(i);
                all.add(threads.submit(() -> {
                    for (int round = 0; round < 10; round++) {
                        try (ObjectReader reader = open(object)) {
                            for (int read = 0; read < 5; read++) {
                                check(reader, random.nextLong(5 * MIB), 300 * KIB);
                            }
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
        assertThat(cache.counters().evicted()).isPositive();
        assertThat(cache.counters().hits()).isPositive();
        assertThat(cache.counters().bytes()).isLessThanOrEqualTo(6L * MIB);
    }

    private void stored(long size) {
        long blocks = (size + MIB - 1) / MIB;
        eventually(
                "all blocks are written or skipped",
                () -> cache.counters().stored() + cache.counters().skipped() >= blocks);
        if (cache.counters().skipped() > 0) {
            // The disk was slower than the reader; the rest comes with another round.
            eventually("all blocks are written", () -> {
                try {
                    readAll(openRamp(size), size);
                } catch (StoreException | InterruptedException e) {
                    throw new AssertionError(e);
                }
                return cache.counters().blocks() == blocks;
            });
        }
    }

    private static void readAll(ObjectReader reader, long size) throws StoreException, InterruptedException {
        for (long offset = 0; offset < size; offset += 128 * KIB) {
            check(reader, offset, 128 * KIB);
        }
        reader.close();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }
}
