package s3csi.filesystem.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** The heap is small and the collector stops everything: what happens for each READ must not allocate. */
final class AllocationTest extends ReaderFixture {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void aReadAnsweredFromMemoryAllocatesNothing() throws Exception {
        ObjectReader reader = openRamp(6 * MIB);
        check(reader, 0, 128 * KIB);
        whenQuiet();
        CountingReply reply = new CountingReply();
        // Class loading and the thread's own scratch space come first.
        readAll(reader, reply);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 100; i++) {
            readAll(reader, reply);
        }
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before)
                .as("bytes allocated by 4,800 reads")
                .isZero();
        assertThat(reply.count()).isEqualTo(101 * 6L * MIB);
    }

    @Test
    void aSequentialStreamAllocatesLittleForEachGet() throws Exception {
        ObjectReader reader = openRamp(1L << 40);
        CountingReply reply = new CountingReply();
        stream(reader, 0, 64L * MIB, reply);
        whenQuiet();
        int gets = watched.asked().size();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        stream(reader, 64L * MIB, 256L * MIB, reply);
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        assertThat(allocated / Math.max(1, watched.asked().size() - gets))
                .as("bytes allocated for each GET by the thread that reads")
                .isLessThan(16 * KIB);
    }

    private static void stream(ObjectReader reader, long from, long to, CountingReply reply) throws Exception {
        for (long offset = from; offset < to; offset += 128 * KIB) {
            if (!reader.readNow(offset, 128 * KIB, reply)) {
                reader.read(offset, 128 * KIB, reply);
            }
        }
    }

    private static void readAll(ObjectReader reader, CountingReply reply) {
        for (long offset = 0; offset < 6 * MIB; offset += 128 * KIB) {
            if (!reader.readNow(offset, 128 * KIB, reply)) {
                throw new AssertionError("not in memory: " + offset);
            }
        }
    }
}
