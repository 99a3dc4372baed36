package s3csi.filesystem.read;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.filesystem.testing.Eventually.eventually;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.filesystem.cache.CacheSettings;
import s3csi.filesystem.cache.DiskCache;
import s3csi.filesystem.memory.BufferPool;
import s3csi.filesystem.memory.PartBuffer;
import s3csi.filesystem.memory.Priority;
import s3csi.filesystem.memory.Reservation;

/** 52 MiB for everybody; the fixture checks that it was never more and that all of it is back at the end. */
final class MemoryPressureTest extends ReaderFixture {
    @Test
    void aHundredStreamsAllProgress() throws Exception {
        List<ObjectReader> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(openRamp(1L << 30));
        }
        inParallel(all, reader -> {
            for (long offset = 0; offset < 4 * MIB; offset += 128 * KIB) {
                check(reader, offset, 128 * KIB);
            }
        });
    }

    @Test
    void aHundredReadersOfLargeRequestsAllProgress() throws Exception {
        List<ObjectReader> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(openRamp(1L << 30));
        }
        inParallel(all, reader -> {
            for (long offset = 0; offset < 8 * MIB; offset += MIB) {
                check(reader, offset + 5, MIB);
            }
        });
    }

    @Test
    void manyOpenSmallFilesDoNotExhaustMemory() throws Exception {
        List<ObjectReader> all = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            all.add(openRamp(7 * MIB));
        }
        inParallel(all, reader -> {
            for (long offset = 0; offset < 7 * MIB; offset += 512 * KIB) {
                check(reader, offset, 512 * KIB);
            }
        });
    }

    @Test
    void readersProgressWhileStoppedWritersHoldAllTheyMay() throws Exception {
        List<PartBuffer> writers = stoppedWriters();
        List<ObjectReader> all = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            all.add(openRamp(1L << 30));
        }
        inParallel(all, reader -> {
            for (long offset = 0; offset < 4 * MIB; offset += 128 * KIB) {
                check(reader, offset, 128 * KIB);
            }
        });
        writers.forEach(PartBuffer::close);
    }

    /** Parts as large as they may be for this memory, and parts that no buffer begins or ends with. */
    @ParameterizedTest
    @ValueSource(ints = {32 * MIB, 8 * MIB + 1, 8 * MIB + 64 * KIB})
    void readersOfAwkwardPartsAllProgress(int part) throws Exception {
        readers.close();
        readers = new Readers(watched.store(), pool, ReadSettings.DEFAULT.withPartSize(part));
        List<ObjectReader> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(openRamp(1L << 30));
        }
        inParallel(all, reader -> {
            for (long offset = 0; offset < 40 * MIB; offset += 512 * KIB) {
                check(reader, offset + 3, 512 * KIB);
            }
        });
    }

    @Test
    void whatIsOnDiskAndWhatIsNotIsReadWhileStoppedWritersHoldAllTheyMay(@TempDir Path directory) throws Exception {
        readers.close();
        try (DiskCache cache =
                new DiskCache(CacheSettings.in(directory, "bucket").withLimit(1L << 30), pool)) {
            readers = new Readers(watched.store(), pool, ReadSettings.DEFAULT, cache);
            try (ObjectReader first = openRamp(1L << 30)) {
                for (long block = 0; block < 8; block++) {
                    check(first, block * MIB, 4096);
                    long wanted = block + 1;
                    eventually("the block is stored", () -> cache.counters().stored() >= wanted);
                }
            }
            // Whoever finds no memory for a whole block asks the store for just its bytes.
            List<PartBuffer> writers = stoppedWriters();
            List<ObjectReader> all = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                all.add(openRamp(1L << 30));
            }
            inParallel(all, reader -> {
                long start = all.indexOf(reader) % 3 == 0 ? 100 * MIB : 0;
                for (long offset = 0; offset < 4 * MIB; offset += 128 * KIB) {
                    check(reader, start + offset, 128 * KIB);
                }
            });
            all.forEach(ObjectReader::close);
            writers.forEach(PartBuffer::close);
            readers.close();
        }
    }

    @Test
    void aWriterGetsTheMemoryOfAStreamThatPauses() throws Exception {
        ObjectReader reader = openRamp(1L << 30);
        for (long offset = 0; offset < 8 * MIB; offset += 128 * KIB) {
            check(reader, offset, 128 * KIB);
        }
        whenQuiet();
        int most = (int) (pool.largestReservation(Priority.WRITE) / BufferPool.BUFFER_SIZE);
        try (Reservation first = pool.reserve(Priority.WRITE, most);
                Reservation second = requireNonNull(pool.reserve(Priority.WRITE, most / 8))) {
            assertThat(first.left() + second.left()).isEqualTo(most + most / 8);
        }
        check(reader, 8 * MIB, 128 * KIB);
    }

    private List<PartBuffer> stoppedWriters() throws InterruptedException {
        List<PartBuffer> writers = new ArrayList<>();
        long left = pool.mostForData() - pool.mostForData() / 16;
        while (left > 0) {
            int length = (int) Math.min(left, 8 * MIB);
            PartBuffer part = new PartBuffer(pool, length);
            part.append(MemorySegment.ofArray(new byte[length]), 0, length);
            writers.add(part);
            left -= length;
        }
        assertThat(pool.tryReserve(Priority.WRITE, 1)).isNull();
        return writers;
    }

    private interface Work {
        void on(ObjectReader reader) throws Exception;
    }

    private static void inParallel(List<ObjectReader> readers, Work work) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (ObjectReader reader : readers) {
                all.add(threads.submit(() -> {
                    work.on(reader);
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
    }
}
