package s3csi.s3.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import s3csi.s3.BodySink;
import s3csi.s3.ByteRange;
import s3csi.s3.Condition;
import s3csi.s3.GetRequest;
import s3csi.s3.ObjectAttributes;
import s3csi.s3.ObjectStore;
import s3csi.s3.Payload;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;

/** Without faults the decorator keeps the contract; with them it does what was asked. */
class FaultyObjectStoreTest extends ObjectStoreContract {
    private final MemoryObjectStore memory = new MemoryObjectStore();
    private final FaultyObjectStore store = new FaultyObjectStore(memory);

    @Override
    protected ObjectStore store() {
        return store;
    }

    @Test
    void theNthRequestOfAKindFailsAndNoOther() throws Exception {
        memory.add("a", new byte[] {1});
        store.at(StoreOperation.HEAD_OBJECT, 2, new Fault.Fail(new StoreFailure.ServerError()));

        store.head("a");
        assertFailure(() -> store.head("a"), StoreFailure.ServerError.class);
        store.head("a");
    }

    @Test
    void aGetFailsAfterSoManyBytes() {
        memory.addRamp("a", 1000, 1);
        store.always(StoreOperation.GET_OBJECT, new Fault.FailAfter(300, new StoreFailure.Unreachable()));
        int[] received = {0};
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment space = arena.allocate(1000);
            BodySink sink = new BodySink() {
                @Override
                public MemorySegment space(long offset, long remaining) {
                    return space;
                }

                @Override
                public boolean received(int count) {
                    received[0] += count;
                    return true;
                }
            };
            assertFailure(
                    () -> store.get(new GetRequest("a", new ByteRange(0, 1000), null), sink),
                    StoreFailure.Unreachable.class);
        }
        assertThat(received[0]).isEqualTo(300);
    }

    @Test
    void aLostAnswerLeavesTheObject() {
        store.at(StoreOperation.PUT_OBJECT, 1, new Fault.LoseAnswer(new StoreFailure.Timeout()));

        assertFailure(
                () -> store.put("a", Payload.EMPTY, ObjectAttributes.DEFAULTS, Condition.NONE),
                StoreFailure.Timeout.class);

        assertThat(memory.find("a")).isNotNull();
    }

    @Test
    void aHeldRequestWaitsForTheTest() throws Exception {
        memory.add("a", new byte[] {1});
        Fault.Hold hold = Fault.Hold.once();
        store.at(StoreOperation.HEAD_OBJECT, 1, hold);
        Thread caller = Thread.ofVirtual().start(() -> {
            try {
                store.head("a");
            } catch (StoreException e) {
                throw new AssertionError(e);
            }
        });
        hold.reached().await();
        assertThat(memory.requests(StoreOperation.HEAD_OBJECT)).isZero();

        hold.released().countDown();
        caller.join();

        assertThat(memory.requests(StoreOperation.HEAD_OBJECT)).isEqualTo(1);
    }

    @Test
    void randomFaultsComeFromTheSeedAndStopWhenHealed() throws Exception {
        memory.add("a", new byte[] {1});
        store.randomly(0.5, new Fault.Fail(new StoreFailure.Throttled()), new Random(1));
        int failed = 0;
        for (int i = 0; i < 100; i++) {
            try {
                store.head("a");
            } catch (StoreException e) {
                failed++;
            }
        }
        assertThat(failed).isBetween(30, 70);

        store.heal();
        for (int i = 0; i < 100; i++) {
            store.head("a");
        }
    }
}
