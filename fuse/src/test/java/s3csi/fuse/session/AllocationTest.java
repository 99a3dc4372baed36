package s3csi.fuse.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.fuse.OpenFlags;
import s3csi.fuse.sample.NullFileSystem;

/** A READ that memory can answer leaves nothing for the collector. */
@Tag("engine")
class AllocationTest {
    private static final int READS = 100_000;
    private static final int ROUNDS = 20;
    /** Bytes for each READ: less than one object in a hundred of them. */
    private static final double LITTLE = 0.16;

    @Test
    void aReadAllocatesNothing() throws Exception {
        SessionSettings settings = SessionSettings.defaults().withName("alloc");
        try (Mounted mount = Mounted.of(new NullFileSystem(OpenFlags.DIRECT_IO), settings)) {
            // Until the compiler is through with the path, interpreted frames allocate; on a busy machine that takes
            // long.
            read(mount);
            List<Double> perRead = new ArrayList<>();
            for (int round = 0; round < ROUNDS && (round == 0 || Collections.min(perRead) >= LITTLE); round++) {
                long requests = mount.session.counters().requests();
                long before = allocated();
                read(mount);
                long bytes = allocated() - before;
                long served = mount.session.counters().requests() - requests;
                assertThat(served).isGreaterThanOrEqualTo(READS);
                perRead.add((double) bytes / served);
            }
            assertThat(Collections.min(perRead))
                    .as("bytes allocated per READ, by round: " + perRead)
                    .isLessThan(LITTLE);
        }
    }

    private static void read(Mounted mount) throws Exception {
        assertThat(Shell.run(mount.root, "dd if=null of=/dev/null bs=4096 count=" + READS + " status=none"))
                .isEqualTo(new Shell(0, ""));
    }

    private static long allocated() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("alloc-")) {
                sum += threads.getThreadAllocatedBytes(thread.threadId());
            }
        }
        assertThat(sum).isPositive();
        return sum;
    }
}
