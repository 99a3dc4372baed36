package s3csi.filesystem.memory;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static s3csi.filesystem.memory.BufferPool.BUFFER_SIZE;
import static s3csi.filesystem.memory.Priority.FOREGROUND_READ;
import static s3csi.filesystem.memory.Priority.PREFETCH;
import static s3csi.filesystem.memory.Priority.WRITE;
import static s3csi.filesystem.testing.Eventually.eventually;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import s3csi.filesystem.testing.PoolFixture;

final class BufferPoolTest extends PoolFixture {
    private static final int ALL = (int) (BufferPool.MINIMUM_BUDGET / BUFFER_SIZE / 8 * 7);
    private static final int RESERVE = ALL / 16;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void nobodyWaits() {
        threads.close();
        assertThat(pool.waiting()).as("threads waiting at the end").isZero();
        assertThat(pool.peak()).isLessThanOrEqualTo(pool.budget());
    }

    @Test
    void countsWhatIsReservedAndWhatIsTaken() {
        Reservation reservation = requireNonNull(pool.tryReserve(PREFETCH, 10));
        Buffer first = reservation.take();
        Buffer second = reservation.take();
        assertThat(pool.used()).isEqualTo(10L * BUFFER_SIZE);
        assertThat(pool.used(PREFETCH)).isEqualTo(10L * BUFFER_SIZE);
        reservation.close();
        assertThat(pool.used()).isEqualTo(2L * BUFFER_SIZE);
        first.release();
        second.release();
        assertThat(pool.used(PREFETCH)).isZero();
        assertThat(pool.peak()).isEqualTo(10L * BUFFER_SIZE);
    }

    @Test
    void aBufferLivesUntilItsLastReference() {
        Buffer buffer = takeOne();
        buffer.retain();
        buffer.release();
        assertThat(pool.used()).isEqualTo(BUFFER_SIZE);
        buffer.release();
        assertThat(pool.used()).isZero();
        assertThatThrownBy(buffer::retain).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void moreThanWasReservedCannotBeTaken() {
        try (Reservation reservation = requireNonNull(pool.tryReserve(WRITE, 1))) {
            Buffer only = reservation.take();
            assertThatThrownBy(reservation::take).isInstanceOf(IllegalStateException.class);
            only.release();
        }
    }

    @Test
    void theLastMemoryIsForReadsInTheForeground() {
        Reservation half = requireNonNull(pool.tryReserve(WRITE, ALL / 2));
        Reservation rest = requireNonNull(pool.tryReserve(WRITE, ALL / 2 - RESERVE));
        assertThat(pool.tryReserve(WRITE, 1)).isNull();
        assertThat(pool.tryReserve(PREFETCH, 1)).isNull();
        Reservation read = requireNonNull(pool.tryReserve(FOREGROUND_READ, RESERVE));
        assertThat(pool.tryReserve(FOREGROUND_READ, 1)).isNull();
        read.close();
        half.close();
        rest.close();
    }

    @Test
    void whatCouldWaitForEverIsRefused() {
        assertThatThrownBy(() -> pool.reserve(WRITE, ALL)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> pool.tryReserve(FOREGROUND_READ, ALL)).hasMessageContaining("raise the memory budget");
        assertThatThrownBy(() -> pool.reserve(PREFETCH, 1)).hasMessageContaining("does not wait");
        assertThatThrownBy(() -> new BufferPool(BufferPool.MINIMUM_BUDGET - 1)).hasMessageContaining("at least 52 MiB");
    }

    @Test
    void readsGoBeforeWritesThatCameEarlier() throws Exception {
        List<Reservation> everything = takeAll();
        List<Priority> order = Collections.synchronizedList(new ArrayList<>());
        // Three of those that were taken make room for one of the two, not for both.
        int most = 2 * RESERVE - 4;
        Future<?> write = threads.submit(() -> noteAndGiveBack(WRITE, most, order));
        eventually("the writer waits", () -> pool.waiting() == 1);
        Future<?> read = threads.submit(() -> noteAndGiveBack(FOREGROUND_READ, most, order));
        eventually("both wait", () -> pool.waiting() == 2);
        assertThat(pool.tryReserve(PREFETCH, 1))
                .as("a prefetch while others wait")
                .isNull();
        everything.subList(0, 3).forEach(Reservation::close);
        read.get();
        everything.subList(3, everything.size()).forEach(Reservation::close);
        read.get();
        write.get();
        assertThat(order).first().isEqualTo(FOREGROUND_READ);
    }

    @Test
    void aLargeRequestIsNotOvertakenByLaterSmallOnes() throws Exception {
        List<Reservation> everything = takeAll();
        Future<?> large = threads.submit(() -> noteAndGiveBack(FOREGROUND_READ, ALL / 2, new ArrayList<>()));
        eventually("the large one waits", () -> pool.waiting() == 1);
        everything.removeLast().close();
        assertThat(pool.tryReserve(FOREGROUND_READ, 1)).isNull();
        everything.forEach(Reservation::close);
        large.get();
    }

    @Test
    void aWriterThatWaitedLongGoesBeforeFurtherReads() throws Exception {
        List<Reservation> reads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            reads.add(requireNonNull(pool.tryReserve(FOREGROUND_READ, ALL / 4)));
        }
        Future<?> write = threads.submit(() -> noteAndGiveBack(WRITE, ALL / 2, new ArrayList<>()));
        eventually("the writer waits", () -> pool.waiting() == 1);
        reads.removeLast().close();
        eventually("reads have to stand back", () -> {
            Reservation more = pool.tryReserve(FOREGROUND_READ, 1);
            if (more != null) {
                more.close();
            }
            return more == null;
        });
        reads.removeLast().close();
        reads.removeLast().close();
        write.get();
        reads.forEach(Reservation::close);
    }

    @Test
    void anInterruptedWaiterLeavesNothingBehind() throws Exception {
        List<Reservation> everything = takeAll();
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread waiter = Thread.startVirtualThread(() -> {
            try {
                pool.reserve(FOREGROUND_READ, 1).close();
            } catch (InterruptedException e) {
                interrupted.set(true);
            }
        });
        eventually("it waits", () -> pool.waiting() == 1);
        waiter.interrupt();
        waiter.join();
        assertThat(interrupted).isTrue();
        assertThat(pool.waiting()).isZero();
        everything.forEach(Reservation::close);
    }

    @Test
    void whatIsGrantedToAWaiterThatFailsGoesBack() throws Exception {
        List<Reservation> everything = takeAll();
        Reclaimer broken = (_, _) -> {
            // From here on the waiter has its memory, and does not come to know it.
            everything.forEach(Reservation::close);
            throw new IllegalStateException("on purpose");
        };
        pool.addReclaimer(broken);

        assertThatThrownBy(() -> pool.reserve(FOREGROUND_READ, 1)).hasMessage("on purpose");

        pool.removeReclaimer(broken);
        assertThat(pool.waiting()).isZero();
        assertThat(pool.used()).isZero();
    }

    @Test
    void holdersOfSparableMemoryAreAskedMoreUrgentlyTheLongerSomebodyWaits() throws Exception {
        List<Reservation> everything = takeAll();
        List<Pressure> asked = Collections.synchronizedList(new ArrayList<>());
        pool.addReclaimer((bytes, pressure) -> {
            asked.add(pressure);
            if (pressure == Pressure.STARVING) {
                everything.forEach(Reservation::close);
            }
        });
        pool.reserve(FOREGROUND_READ, 2).close();
        assertThat(asked).startsWith(Pressure.WAITING).endsWith(Pressure.STARVING);
    }

    @Test
    void unusedMemoryGoesBackToTheKernel() {
        Buffer used = takeOne();
        used.memory().fill((byte) 1);
        used.release();
        pool.trim();
        assertThat(pool.idleResident()).as("used in this period").isEqualTo(BUFFER_SIZE);
        pool.trim();
        assertThat(pool.idleResident()).as("not used in the period after").isZero();
        Buffer again = takeOne();
        assertThat(again.memory().get(ValueLayout.JAVA_BYTE, 0))
                .as("pages that come back are new")
                .isZero();
        again.release();
    }

    @Test
    void underStressNobodySharesMemoryAndTheBudgetHolds() throws Exception {
        int workers = 64;
        CountDownLatch start = new CountDownLatch(1);
        List<Future<?>> work = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            long mark = i + 1L;
            Priority priority = List.of(FOREGROUND_READ, WRITE, PREFETCH).get(i % 3);
            work.add(threads.submit(() -> {
                start.await();
                for (int round = 0; round < 200; round++) {
                    useAndCheck(priority, 1 + (int) ((mark * 31 + round) % 40), mark);
                }
                return null;
            }));
        }
        start.countDown();
        for (Future<?> each : work) {
            each.get();
        }
    }

    private void useAndCheck(Priority priority, int buffers, long mark) throws InterruptedException {
        Reservation reservation =
                priority == PREFETCH ? pool.tryReserve(priority, buffers) : pool.reserve(priority, buffers);
        if (reservation == null) {
            return;
        }
        List<Buffer> taken = new ArrayList<>();
        try (reservation) {
            for (int i = 0; i < buffers - 1; i++) {
                Buffer buffer = reservation.take();
                buffer.memory().set(ValueLayout.JAVA_LONG, 0, mark);
                taken.add(buffer);
            }
            LockSupport.parkNanos(1);
            assertThat(pool.used()).isLessThanOrEqualTo(pool.budget());
            for (Buffer buffer : taken) {
                assertThat(buffer.memory().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(mark);
            }
        }
        taken.forEach(Buffer::release);
    }

    private Void noteAndGiveBack(Priority priority, int buffers, List<Priority> order) throws InterruptedException {
        try (Reservation _ = pool.reserve(priority, buffers)) {
            order.add(priority);
        }
        return null;
    }

    private Buffer takeOne() {
        try (Reservation reservation = requireNonNull(pool.tryReserve(PREFETCH, 1))) {
            return reservation.take();
        }
    }

    private List<Reservation> takeAll() {
        List<Reservation> all = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            all.add(requireNonNull(pool.tryReserve(FOREGROUND_READ, RESERVE)));
        }
        all.add(requireNonNull(pool.tryReserve(FOREGROUND_READ, ALL - 16 * RESERVE)));
        return all;
    }
}
