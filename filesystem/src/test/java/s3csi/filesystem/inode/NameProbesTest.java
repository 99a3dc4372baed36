package s3csi.filesystem.inode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.testing.Eventually;
import s3csi.filesystem.testing.ManualTime;
import s3csi.s3.StoreOperation;
import s3csi.s3.testing.Fault;
import s3csi.s3.testing.FaultyObjectStore;
import s3csi.s3.testing.MemoryObjectStore;

class NameProbesTest {
    private final MemoryObjectStore memory = new MemoryObjectStore();
    private final FaultyObjectStore store = new FaultyObjectStore(memory);
    private final NameProbes probes = new NameProbes(store, new ManualTime().time());

    @Test
    void thoseWhoAskTogetherShareTheRequests() throws InterruptedException {
        memory.add("f", new byte[] {1});
        Fault.Hold hold = Fault.Hold.once();
        store.at(StoreOperation.HEAD_OBJECT, 1, hold);
        List<Found> answers = new CopyOnWriteArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            threads.add(Thread.ofVirtual().start(() -> answers.add(ask("f"))));
        }
        hold.reached().await();
        // All have asked when all wait; the request that is held keeps them waiting.
        Eventually.that(() -> threads.stream().allMatch(each -> each.getState() == Thread.State.WAITING));
        hold.released().countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(memory.requests(StoreOperation.HEAD_OBJECT)).isEqualTo(1);
        assertThat(memory.requests(StoreOperation.LIST_OBJECTS)).isEqualTo(1);
        assertThat(answers).hasSize(8).allMatch(each -> each instanceof Found.File);
    }

    @Test
    void requestsThatNobodyWaitsForAnyMoreAreGivenUp() throws InterruptedException {
        Fault.Hold head = Fault.Hold.once();
        Fault.Hold list = Fault.Hold.once();
        store.at(StoreOperation.HEAD_OBJECT, 1, head).at(StoreOperation.LIST_OBJECTS, 1, list);
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread waiter = Thread.ofVirtual().start(() -> {
            try {
                probes.ask("f");
            } catch (InterruptedException e) {
                interrupted.set(true);
            } catch (FileException e) {
                throw new AssertionError(e);
            }
        });
        head.reached().await();
        list.reached().await();

        waiter.interrupt();
        waiter.join();

        assertThat(interrupted).isTrue();
        Eventually.that(() -> store.cancelled() == 2);
    }

    private Found ask(String key) {
        try {
            return probes.ask(key).found();
        } catch (FileException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
