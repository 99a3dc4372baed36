package s3csi.filesystem.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.failure.FileFailure;
import s3csi.filesystem.memory.BufferPool;
import s3csi.filesystem.memory.Priority;
import s3csi.filesystem.testing.Eventually;
import s3csi.linux.LinuxException;

final class WriterSlotsTest {
    private static final int MIB = 1 << 20;

    private BufferPool pool;

    @BeforeEach
    void map() throws LinuxException {
        pool = new BufferPool(585L * BufferPool.BUFFER_SIZE);
    }

    @AfterEach
    void unmap() {
        pool.close();
    }

    private WriterSlots slots(long partSize, Duration patience) {
        return WriterSlots.forPool(
                pool, UploadSettings.DEFAULTS.withPartSize(partSize).withPatience(patience));
    }

    private WriterSlots slots(long partSize) {
        return slots(partSize, Duration.ofMinutes(5));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1000, 128 * 1024 + 1, 5 * MIB, 8 * MIB, 8 * MIB + 1, 24 * MIB, 48 * MIB})
    void allClaimsTogetherFitIntoWhatWritersMayHave(long partSize) {
        WriterSlots.Left all = slots(partSize).left();

        long buffers = (long) all.parts() * BufferPool.buffersFor(partSize) + all.shared();
        assertThat(all.parts()).isPositive();
        assertThat(pool.budget() - buffers * BufferPool.BUFFER_SIZE)
                .isGreaterThanOrEqualTo(pool.mostForNames()
                        + pool.mostForData() / BufferPool.BUFFER_SIZE / 16 * BufferPool.BUFFER_SIZE);
        assertThat(pool.tryReserve(Priority.WRITE, BufferPool.buffersFor(partSize)))
                .isNotNull()
                .satisfies(each -> each.close());
    }

    @Test
    void aPartThatDoesNotFitIsRefusedInWords() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> slots(48 * MIB + 1))
                .withMessageContainingAll("50331649", "76677120", "choose a smaller write part size or more memory");
    }

    @Test
    void smallFilesShareUntilTheShareIsGoneAndThenTakeParts() {
        WriterSlots slots = slots(8 * MIB);
        WriterSlots.Left all = slots.left();
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < all.shared() + all.parts(); i++) {
            claims.add(new Claim(slots));
            assertThat(claims.getLast().tryCover(1)).isTrue();
        }

        assertThat(new Claim(slots).tryCover(1)).isFalse();
        assertThat(claims.getFirst().isPart()).isFalse();
        assertThat(claims.getLast().isPart()).isTrue();
        claims.forEach(Claim::giveUp);
        assertThat(slots.left()).isEqualTo(all);
    }

    @Test
    void aClaimGrowsFromTheShareToAPart() {
        WriterSlots slots = slots(8 * MIB);
        WriterSlots.Left all = slots.left();
        Claim claim = new Claim(slots);

        assertThat(claim.tryCover(2)).isTrue();
        assertThat(claim.tryCover(WriterSlots.SMALL)).isTrue();
        assertThat(slots.left().shared()).isEqualTo(all.shared() - WriterSlots.SMALL);
        assertThat(claim.tryCover(WriterSlots.SMALL + 1)).isTrue();

        assertThat(claim.isPart()).isTrue();
        assertThat(slots.left()).isEqualTo(new WriterSlots.Left(all.parts() - 1, all.shared(), 0));
    }

    @Test
    void turnsComeInOrderAndNobodyOvertakes() throws InterruptedException {
        WriterSlots slots = slots(48 * MIB);
        Claim first = large(slots);
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int number = i;
            threads.add(Thread.ofVirtual().start(() -> {
                Claim claim = new Claim(slots);
                cover(claim);
                order.add(number);
                claim.giveUp();
            }));
            Eventually.that(() -> slots.waiting() == number + 1);
        }

        first.giveUp();
        // Whoever just had a turn is behind those who wait.
        new Claim(slots).tryCover(WriterSlots.SMALL + 1);
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(order).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void whoeverWaitsForIdleFilesIsTold() {
        WriterSlots slots = slots(48 * MIB, Duration.ofMillis(1));
        Claim idle = large(slots);

        assertThatExceptionOfType(FileException.class)
                .isThrownBy(() -> new Claim(slots).cover(WriterSlots.SMALL + 1))
                .withMessageContaining("being filled, 1 at a time")
                .withMessageContaining("raise --memory-target")
                .extracting(FileException::failure)
                .isInstanceOf(FileFailure.TooManyWriters.class);

        idle.giveUp();
        assertThat(new Claim(slots).tryCover(WriterSlots.SMALL + 1)).isTrue();
    }

    @Test
    void whoeverWaitsForOneAtWorkIsPatient() throws Exception {
        WriterSlots slots = slots(48 * MIB, Duration.ofMillis(1));
        Claim busy = large(slots);
        Thread waiter = busy.atWork(() -> {
            Thread thread = Thread.ofVirtual().start(() -> cover(new Claim(slots)));
            Eventually.that(() -> slots.waiting() == 1);
            // Longer than the patience and the time between two looks.
            assertThat(thread.join(Duration.ofMillis(600))).isFalse();
            busy.giveUp();
            return thread;
        });

        assertThat(waiter.join(Duration.ofSeconds(20))).isTrue();
        assertThat(slots.left().parts()).isZero();
        assertThat(slots.left().atWork()).isZero();
    }

    @Test
    void anInterruptedWaitLeavesTheQueue() throws InterruptedException {
        WriterSlots slots = slots(48 * MIB);
        Claim holder = large(slots);
        Thread waiter = Thread.ofVirtual().start(() -> {
            try {
                new Claim(slots).cover(WriterSlots.SMALL + 1);
            } catch (FileException | InterruptedException _) {
                // What is left behind is looked at below.
            }
        });
        Eventually.that(() -> slots.waiting() == 1);

        waiter.interrupt();
        waiter.join();

        assertThat(slots.waiting()).isZero();
        holder.giveUp();
        assertThat(slots.left().parts()).isEqualTo(1);
    }

    /**
     * The turn comes after the interrupted one has noticed and before it can leave the queue. Others that take the lock all the time
     * make this gap wide.
     */
    @Test
    void aTurnThatComesToAnInterruptedWaitGoesToTheNext() throws InterruptedException {
        WriterSlots slots = slots(48 * MIB);
        AtomicBoolean isDone = new AtomicBoolean();
        List<Thread> others = Stream.generate(() -> Thread.ofPlatform().start(() -> {
                    while (!isDone.get()) {
                        slots.left();
                    }
                }))
                .limit(2)
                .toList();
        try {
            interruptedWhileItsTurnComes(slots);
        } finally {
            isDone.set(true);
            for (Thread other : others) {
                other.join();
            }
        }
    }

    private static void interruptedWhileItsTurnComes(WriterSlots slots) throws InterruptedException {
        for (int round = 0; round < 300; round++) {
            Claim holder = large(slots);
            Thread waiter = Thread.ofPlatform().start(() -> {
                Claim claim = new Claim(slots);
                try {
                    claim.cover(WriterSlots.SMALL + 1);
                } catch (FileException | InterruptedException _) {
                    // What is left behind is looked at below.
                } finally {
                    claim.giveUp();
                }
            });
            Eventually.that(() -> slots.waiting() == 1);

            waiter.interrupt();
            while (waiter.getState() == Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            holder.giveUp();
            waiter.join();

            assertThat(slots.left().parts()).as("parts after round %d", round).isEqualTo(1);
        }
    }

    private static Claim large(WriterSlots slots) {
        Claim claim = new Claim(slots);
        assertThat(claim.tryCover(WriterSlots.SMALL + 1)).isTrue();
        return claim;
    }

    private static @Nullable FileException cover(Claim claim) {
        try {
            claim.cover(WriterSlots.SMALL + 1);
            return null;
        } catch (FileException e) {
            return e;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
