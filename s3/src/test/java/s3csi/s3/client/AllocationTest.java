package s3csi.s3.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import s3csi.s3.BodySink;
import s3csi.s3.ByteRange;
import s3csi.s3.GetRequest;

/** Bodies never touch the heap, and what a request needs besides is bounded. */
class AllocationTest extends FaultFixture {
    private static final int MOST_PER_GET = 16 * 1024;

    @Test
    void aGetAllocatesLittleHoweverLargeItsBody() throws Exception {
        byte[] bytes = random(4_000_000);
        HttpObjectStore store = storeOf((request, reply) -> reply.object(request, bytes, ETAG));
        MemorySegment memory = arena.allocate(4_000_000);
        GetRequest request = new GetRequest("some/key of an object", new ByteRange(0, 4_000_000), null);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < 20; i++) {
            store.get(request, BodySink.into(memory));
        }

        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 20; i++) {
            store.get(request, BodySink.into(memory));
        }
        long perGet = (threads.getCurrentThreadAllocatedBytes() - before) / 20;

        assertThat(perGet).isLessThan(MOST_PER_GET);
    }
}
