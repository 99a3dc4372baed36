package s3csi.filesystem.read;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.filesystem.testing.Eventually.eventually;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import s3csi.s3.ByteRange;
import s3csi.s3.StoreOperation;
import s3csi.s3.testing.Fault;

final class ObjectReaderTest extends ReaderFixture {
    @Test
    void anEmptyObjectHasAnEndAndNoRequest() throws Exception {
        ObjectReader reader = openRamp(0);
        assertThat(read(reader, 0, 4096)).isEmpty();
        assertThat(watched.asked()).isEmpty();
    }

    @Test
    void readsEndAtTheEndOfTheObject() throws Exception {
        ObjectReader reader = openRamp(70_000);
        check(reader, 69_999, 4096);
        check(reader, 70_000, 4096);
        check(reader, 1L << 40, 4096);
    }

    @Test
    void aSmallObjectIsOneRequest() throws Exception {
        ObjectReader reader = openRamp(3 * MIB + 17);
        check(reader, 0, 4096);
        whenQuiet();
        for (long offset = 0; offset < 3 * MIB; offset += 70_000) {
            assertThat(reader.readNow(offset, 70_000, new RecordingReply())).isTrue();
        }
        check(reader, 5, MIB);
        assertThat(watched.asked()).containsExactly(new ByteRange(0, 3 * MIB + 17));
    }

    @Test
    void aSequentialReaderGetsEachByteOnceInLargeRequests() throws Exception {
        long size = 100 * MIB + 4321;
        ObjectReader reader = openRamp(size);
        for (long offset = 0; offset < size; offset += 128 * KIB) {
            check(reader, offset, 128 * KIB);
        }
        assertThat(watched.received()).isEqualTo(size);
        assertThat(watched.asked()).hasSizeLessThan(100 / 2);
    }

    @Test
    void aRequestLargerThanAPartIsOneAnswer() throws Exception {
        readers.close();
        readers = new Readers(watched.store(), pool, ReadSettings.DEFAULT.withPartSize(256 * KIB));
        ObjectReader reader = openRamp(20 * MIB);
        for (long offset = 0; offset < 20 * MIB; offset += MIB) {
            check(reader, offset + 7, MIB);
        }
    }

    @Test
    void randomReadsFetchExactlyWhatWasAsked() throws Exception {
        ObjectReader reader = openRamp(1L << 40);
        for (long offset : new long[] {9_000_000_001L, 5L << 30, 77_777_777, 1L << 39, 3L << 31, 123_456_789_012L}) {
            check(reader, offset, 4096);
            assertThat(watched.asked()).last().isEqualTo(new ByteRange(offset, 4096));
        }
        assertThat(watched.received()).isEqualTo(6 * 4096);
        assertThat(pool.used()).as("memory kept for random reads").isZero();
    }

    @Test
    void readingEveryTenthBlockDoesNotFetchTheBlocksBetween() throws Exception {
        ObjectReader reader = openRamp(1L << 30);
        long blocks = 100;
        for (long block = 1; block <= blocks; block++) {
            check(reader, block * 10 * 64 * KIB, 64 * KIB);
        }
        assertThat(watched.received()).isEqualTo(blocks * 64 * KIB);
    }

    @Test
    void runsOfTheLengthSeenBeforeAreFetchedAtOnce() throws Exception {
        ObjectReader reader = openRamp(1L << 40);
        for (long run = 1; run <= 10; run++) {
            long offset = run * 7_000_000_000L;
            check(reader, offset, 128 * KIB);
            check(reader, offset + 128 * KIB, 128 * KIB);
        }
        assertThat(watched.asked())
                .filteredOn(range -> range.length() == 256 * KIB)
                .hasSize(8);
        assertThat(watched.received()).isLessThanOrEqualTo(10 * 256 * KIB + 256 * KIB);
    }

    @Test
    void readaheadThatArrivesOutOfOrderIsStillSequential() throws Exception {
        int step = 128 * KIB;
        long size = 64 * MIB;
        ObjectReader reader = openRamp(size);
        for (long offset = 0; offset < size; offset += 4L * step) {
            check(reader, offset + step, step);
            check(reader, offset, step);
            check(reader, offset + 3L * step, step);
            check(reader, offset + 2L * step, step);
        }
        assertThat(watched.received()).isEqualTo(size);
        assertThat(watched.asked()).hasSizeLessThan(64 / 2);
    }

    @Test
    void streamsInOneFileDoNotDisturbEachOther() throws Exception {
        long size = 1L << 30;
        int length = 16 * MIB;
        readers.close();
        // Four streams are short of memory, and whoever pauses then loses what was fetched; a busy machine makes them
        // pause.
        readers = new Readers(watched.store(), pool, ReadSettings.DEFAULT, null, Duration.ofMinutes(1));
        ObjectReader reader = openRamp(size);
        List<Long> starts = List.of(0L, 300L * MIB, 600L * MIB, 900L * MIB);
        for (long at = 0; at < length; at += 128 * KIB) {
            for (long start : starts) {
                check(reader, start + at, 128 * KIB);
            }
        }
        whenQuiet();
        assertThat(watched.asked()).hasSizeLessThan(4 * 30);
        assertThat(watched.asked())
                .as("ranges are asked for once")
                .doesNotHaveDuplicates()
                .allSatisfy(range -> assertThat(watched.asked())
                        .filteredOn(other -> other.offset() < range.end() && range.offset() < other.end())
                        .hasSize(1));
    }

    @Test
    void smallSeeksAreServedFromMemory() throws Exception {
        ObjectReader reader = openRamp(1L << 30);
        for (long offset = 0; offset < 8 * MIB; offset += 128 * KIB) {
            check(reader, offset, 128 * KIB);
        }
        whenQuiet();
        int before = watched.asked().size();
        assertThat(reader.readNow(8 * MIB - 900 * KIB, 64 * KIB, new RecordingReply()))
                .as("a step back")
                .isTrue();
        assertThat(reader.readNow(8 * MIB + 2 * MIB, 64 * KIB, new RecordingReply()))
                .as("a step forward within what is fetched")
                .isTrue();
        whenQuiet();
        assertThat(watched.asked().subList(before, watched.asked().size()))
                .as("only further ahead is fetched")
                .allSatisfy(range -> assertThat(range.offset()).isGreaterThan(16L * MIB));
    }

    @Test
    void aReadWaitsForItsOwnBytesOnly() throws Exception {
        CountDownLatch rest = new CountDownLatch(1);
        watched.beforeBytes((offset, _) -> {
            if (offset >= 128 * KIB) {
                rest.await();
            }
        });
        ObjectReader reader = openRamp(1L << 30);
        check(reader, 0, 64 * KIB);
        assertThat(reader.readNow(64 * KIB, 64 * KIB, new RecordingReply())).isTrue();
        assertThat(reader.readNow(128 * KIB, 64 * KIB, new RecordingReply())).isFalse();
        rest.countDown();
        check(reader, 128 * KIB, 64 * KIB);
    }

    @Test
    void readsThatWaitDoNotHoldUpOthers() throws Exception {
        ObjectReader reader = openRamp(1L << 40);
        Fault.Hold hold = Fault.Hold.once();
        faulty.at(StoreOperation.GET_OBJECT, 1, hold);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> held = threads.submit(() -> {
                check(reader, 1L << 35, 4096);
                return null;
            });
            hold.reached().await();
            check(reader, 1L << 36, 4096);
            check(reader, 1L << 37, 4096);
            assertThat(held.isDone()).isFalse();
            hold.released().countDown();
            held.get();
        }
    }

    @Test
    void readsOfTheSameBytesShareOneRequest() throws Exception {
        ObjectReader reader = openRamp(1L << 40);
        Fault.Hold hold = Fault.Hold.once();
        faulty.at(StoreOperation.GET_OBJECT, 1, hold);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> first = threads.submit(() -> {
                check(reader, 1L << 35, 128 * KIB);
                return null;
            });
            hold.reached().await();
            Future<?> second = threads.submit(() -> {
                check(reader, (1L << 35) + 64 * KIB, 64 * KIB);
                return null;
            });
            hold.released().countDown();
            first.get();
            second.get();
        }
        assertThat(watched.asked().getFirst()).isEqualTo(new ByteRange(1L << 35, 128 * KIB));
    }

    @Test
    void closingEndsWhatIsFetchedAhead() throws Exception {
        AtomicBoolean stuck = new AtomicBoolean();
        watched.beforeBytes((offset, _) -> {
            if (offset >= 4 * MIB) {
                stuck.set(true);
                new CountDownLatch(1).await();
            }
        });
        ObjectReader reader = openRamp(1L << 30);
        for (long offset = 0; offset < MIB; offset += 128 * KIB) {
            check(reader, offset, 128 * KIB);
        }
        eventually("a fetch ahead hangs", stuck::get);
        assertThat(pool.used()).isPositive();
        reader.close();
        whenQuiet();
        assertThat(pool.used()).isZero();
    }

    /** Also where an interrupt comes too late to stop it: what is here already is read without waiting. */
    @Test
    void aFetchThatNobodyWantsTakesNoFurtherBytes() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        AtomicInteger after = new AtomicInteger();
        watched.beforeBytes((offset, _) -> {
            if (offset >= 4 * MIB) {
                reached.countDown();
                if (closed.getCount() == 0) {
                    after.incrementAndGet();
                }
                awaitInSpiteOfInterrupts(closed);
            }
        });
        ObjectReader reader = openRamp(1L << 30);
        for (long offset = 0; offset < MIB; offset += 128 * KIB) {
            check(reader, offset, 128 * KIB);
        }
        reached.await();
        int fetching = readers.fetching();
        reader.close();
        closed.countDown();
        whenQuiet();
        assertThat(after.get()).as("pieces that %d fetches took", fetching).isLessThanOrEqualTo(fetching);
    }

    private static void awaitInSpiteOfInterrupts(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException _) {
                // As a store does that has the bytes already.
            }
        }
    }

    @Test
    void goingElsewhereEndsWhatWasFetchedAhead() throws Exception {
        watched.beforeBytes((offset, _) -> {
            if (offset >= 4 * MIB && offset < 100 * MIB) {
                new CountDownLatch(1).await();
            }
        });
        ObjectReader reader = openRamp(1L << 40);
        for (long offset = 0; offset < MIB; offset += 128 * KIB) {
            check(reader, offset, 128 * KIB);
        }
        assertThat(readers.fetching()).isPositive();
        for (long offset = 0; offset < MIB; offset += 128 * KIB) {
            check(reader, (1L << 35) + offset, 128 * KIB);
        }
        whenQuiet();
    }

    @Test
    void filesNobodyReadsGiveTheirMemoryToThoseWhoDo() throws Exception {
        for (int i = 0; i < 48; i++) {
            ObjectReader idle = openRamp(1L << 30);
            for (long offset = 0; offset < MIB; offset += 128 * KIB) {
                check(idle, offset, 128 * KIB);
            }
        }
        ObjectReader reader = openRamp(1L << 30);
        eventually("the only active stream can fetch ahead", () -> {
            readOn(reader);
            return readers.streams() == 1 && pool.used() > 8 * MIB;
        });
    }

    private long position;

    private void readOn(ObjectReader reader) {
        try {
            check(reader, position, 128 * KIB);
            position += 128 * KIB;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
