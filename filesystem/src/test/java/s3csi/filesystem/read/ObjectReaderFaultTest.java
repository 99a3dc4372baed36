package s3csi.filesystem.read;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import s3csi.filesystem.memory.Priority;
import s3csi.filesystem.memory.Reservation;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;
import s3csi.s3.testing.Fault;
import s3csi.s3.testing.StoredObject;

final class ObjectReaderFaultTest extends ReaderFixture {
    @Test
    void anObjectThatWasReplacedIsNoticedInTheMiddle() throws Exception {
        ObjectReader reader = openRamp(1L << 30);
        check(reader, 0, 128 * KIB);
        whenQuiet();
        StoredObject replacement = memory.addRamp("object", 1L << 30, SEED + 1);
        assertThat(failureOf(reader, 500L * MIB)).isInstanceOf(StoreFailure.PreconditionFailed.class);
        assertThat(read(open(replacement), 500L * MIB, 10)).hasSize(10);
    }

    @Test
    void anObjectThatIsGoneIsAnErrorAndNotAHang() throws Exception {
        ObjectReader reader = openRamp(1L << 30);
        check(reader, 0, 128 * KIB);
        memory.delete("object");
        assertThat(failureOf(reader, 500L * MIB)).isInstanceOf(StoreFailure.NoSuchKey.class);
    }

    @Test
    void aRefusalIsThrownAndNotRemembered() throws Exception {
        ObjectReader reader = openRamp(100 * KIB);
        faulty.always(
                StoreOperation.GET_OBJECT,
                new Fault.Fail(new StoreFailure.Forbidden(StoreFailure.Forbidden.Reason.ACCESS_DENIED)));
        assertThat(failureOf(reader, 0)).isInstanceOf(StoreFailure.Forbidden.class);
        assertThat(failureOf(reader, 0)).isInstanceOf(StoreFailure.Forbidden.class);
        faulty.heal();
        check(reader, 0, 100 * KIB);
    }

    @Test
    void aFailedPrefetchDoesNotFailTheReadThatNeedsItsBytes() throws Exception {
        long size = 64 * MIB;
        ObjectReader reader = openRamp(size);
        for (int i = 2; i < 40; i += 2) {
            faulty.at(StoreOperation.GET_OBJECT, i, new Fault.FailAfter(i * 100_000L, new StoreFailure.Unreachable()));
        }
        int failed = 0;
        for (long offset = 0; offset < size; ) {
            try {
                check(reader, offset, 128 * KIB);
                offset += 128 * KIB;
            } catch (StoreException _) {
                failed++;
            }
        }
        assertThat(failed)
                .as("reads whose own fetch was cut, among 19 cut fetches")
                .isLessThan(10);
    }

    @Test
    void bytesBeforeACutAreUsed() throws Exception {
        ObjectReader reader = openRamp(1L << 30);
        faulty.at(StoreOperation.GET_OBJECT, 1, new Fault.FailAfter(300_000, new StoreFailure.Timeout()));
        check(reader, 0, 128 * KIB);
        whenQuiet();
        check(reader, 128 * KIB, 128 * KIB);
        assertThat(watched.asked())
                .filteredOn(range -> range.offset() < 300_000)
                .hasSize(1);
    }

    @Test
    void bytesThatFailTheirChecksumAreNotReadAndNotKept() throws Exception {
        ObjectReader reader = openRamp(600 * KIB);
        faulty.at(StoreOperation.GET_OBJECT, 1, new Fault.FailAfter(600 * KIB, new StoreFailure.Integrity()));
        assertThat(failureOf(reader, 0)).isInstanceOf(StoreFailure.Integrity.class);
        whenQuiet();
        assertThat(pool.used()).isZero();
        check(reader, 0, 600 * KIB);
    }

    @Test
    void theEndOfALargerObjectIsReadOnlyWhenItsChecksumWasGood() throws Exception {
        int size = 5 * MIB;
        ObjectReader reader = openRamp(size);
        faulty.at(StoreOperation.GET_OBJECT, 1, new Fault.FailAfter(size, new StoreFailure.Integrity()));
        assertThat(failureOf(reader, size - 4096)).isInstanceOf(StoreFailure.Integrity.class);
        whenQuiet();
        assertThat(pool.used()).isZero();
        check(reader, 0, size);
    }

    @Test
    void anObjectThatIsShorterThanPromisedIsNeverRead() throws Exception {
        StoredObject object = memory.addRamp("object", 300 * KIB, SEED);
        ObjectVersion promised =
                new ObjectVersion("object", requireNonNull(object.info().etag()), 5L * MIB);
        ObjectReader reader = readers.open(promised);
        assertThat(failureOf(reader, 0)).isInstanceOf(StoreFailure.Integrity.class);
        // Without any memory to spare it reads on another way.
        List<Reservation> all = new ArrayList<>();
        for (Reservation next = pool.tryReserve(Priority.WRITE, 1); next != null; ) {
            all.add(next);
            next = pool.tryReserve(Priority.WRITE, 1);
        }
        assertThat(failureOf(reader, 299 * KIB)).isInstanceOf(StoreFailure.Integrity.class);
        all.forEach(Reservation::close);
        whenQuiet();
        assertThat(pool.used()).isZero();
    }

    @Test
    void anInterruptedReadEndsAndOthersOfTheSameBytesDoNot() throws Exception {
        ObjectReader reader = openRamp(1L << 40);
        Fault.Hold hold = Fault.Hold.once();
        faulty.at(StoreOperation.GET_OBJECT, 1, hold);
        AtomicReference<Throwable> first = new AtomicReference<>();
        AtomicReference<Throwable> second = new AtomicReference<>();
        CountDownLatch secondReads = new CountDownLatch(1);
        Thread interrupted = Thread.startVirtualThread(() -> keep(first, () -> check(reader, 1L << 35, 4096)));
        hold.reached().await();
        Thread other = Thread.startVirtualThread(() -> keep(second, () -> {
            secondReads.countDown();
            check(reader, 1L << 35, 4096);
        }));
        secondReads.await();
        interrupted.interrupt();
        interrupted.join();
        other.join();
        assertThat(first.get()).isInstanceOf(InterruptedException.class);
        assertThat(second.get()).isNull();
    }

    @Test
    void aClosedStoreFailsReadsAtOnce() throws Exception {
        ObjectReader reader = openRamp(1L << 30);
        memory.close();
        assertThat(failureOf(reader, 0)).isInstanceOf(StoreFailure.Cancelled.class);
        assertThat(failureOf(reader, 500L * MIB)).isInstanceOf(StoreFailure.Cancelled.class);
    }

    @Test
    void aFaultOfOursIsNotTakenForData() throws Exception {
        watched.beforeBytes((_, _) -> {
            throw new IllegalStateException("on purpose");
        });
        ObjectReader reader = openRamp(1L << 30);
        assertThatThrownBy(() -> read(reader, 0, 4096)).hasRootCauseMessage("on purpose");
    }

    @Test
    void withManyFaultsBytesAreStillRight() throws Exception {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
        faulty.randomly(0.3, new Fault.FailAfter(777_777, new StoreFailure.Unreachable()), random);
        long size = 200 * MIB;
        ObjectReader reader = openRamp(size);
        long offset = 0;
        for (int tries = 0; offset < size && tries < 100_000; tries++) {
            try {
                check(reader, offset, 1 + random.nextInt(MIB));
                offset += 256 * KIB;
            } catch (StoreException e) {
                assertThat(e.failure()).isInstanceOf(StoreFailure.Unreachable.class);
            }
        }
        assertThat(offset).isGreaterThanOrEqualTo(size);
    }

    private interface Work {
        void run() throws Exception;
    }

    private static void keep(AtomicReference<Throwable> outcome, Work work) {
        try {
            work.run();
        } catch (Exception | AssertionError e) {
            outcome.set(e);
        }
    }

    private static StoreFailure failureOf(ObjectReader reader, long offset) {
        StoreException thrown = catchThrowableOfType(StoreException.class, () -> read(reader, offset, 4096));
        assertThat(thrown).as("what a read at %s throws", offset).isNotNull();
        return thrown.failure();
    }
}
