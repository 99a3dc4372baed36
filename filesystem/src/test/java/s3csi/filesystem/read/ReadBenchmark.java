package s3csi.filesystem.read;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import s3csi.filesystem.memory.BufferPool;
import s3csi.s3.testing.MemoryObjectStore;
import s3csi.s3.testing.StoredObject;

/**
 * What reading costs without a network and a kernel. The store can be given a latency for each GET and a rate for each connection.
 *
 * <p>Usage: {@code ReadBenchmark [GiB] [streams] [latency in ms] [MiB/s of a connection] [budgets in MiB ...]}
 */
final class ReadBenchmark {
    private static final int READ = 128 * 1024;
    private static final long MIB = 1 << 20;

    private ReadBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        long gib = argument(arguments, 0, 2);
        int streams = (int) argument(arguments, 1, 1);
        long latency = argument(arguments, 2, 0);
        long rate = argument(arguments, 3, 0);
        List<Long> budgets = new ArrayList<>();
        for (int i = 4; i < arguments.length; i++) {
            budgets.add(Long.parseLong(arguments[i]));
        }
        if (budgets.isEmpty()) {
            budgets.add(64L);
        }
        for (int round = 0; round < 3; round++) {
            for (long budget : budgets) {
                measure(gib << 30, streams, latency, rate, budget * MIB);
            }
        }
    }

    private static long argument(String[] arguments, int index, long otherwise) {
        return arguments.length > index ? Long.parseLong(arguments[index]) : otherwise;
    }

    private static void measure(long size, int streams, long latencyMillis, long rate, long budget) throws Exception {
        MemoryObjectStore memory = new MemoryObjectStore();
        StoredObject object = memory.add("object", new byte[(int) (512 * MIB)]);
        WatchedStore store = new WatchedStore(memory);
        store.beforeBytes((offset, count) -> {
            if (store.isFirst(offset)) {
                LockSupport.parkNanos(latencyMillis * 1_000_000);
            }
            if (rate > 0) {
                LockSupport.parkNanos(count * 1_000_000_000L / (rate * MIB));
            }
        });
        long cpu = cpuNanos();
        long start = System.nanoTime();
        long hits;
        try (BufferPool pool = new BufferPool(budget);
                Readers readers = new Readers(store.store(), pool, ReadSettings.DEFAULT);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Long>> all = new ArrayList<>();
            for (int i = 0; i < streams; i++) {
                all.add(threads.submit(() -> stream(readers, object, size / streams)));
            }
            hits = 0;
            for (Future<Long> each : all) {
                hits += each.get();
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            System.out.println(String.format(
                    Locale.ROOT,
                    "budget %d MiB, %d streams, %d ms, %d MiB/s a connection: %.2f GiB/s, %.2f CPU-s/GiB, %.1f %% at once,"
                            + " %d GETs, peak %d MiB",
                    budget / MIB,
                    streams,
                    latencyMillis,
                    rate,
                    size / seconds / (1 << 30),
                    (cpuNanos() - cpu) / 1e9 / size * (1 << 30),
                    100.0 * hits * READ / size,
                    store.asked().size(),
                    pool.peak() / MIB));
        }
    }

    /** Reads the object again and again, each time as if opened anew; the reads that were answered at once. */
    private static long stream(Readers readers, StoredObject object, long bytes) throws Exception {
        ObjectVersion version = new ObjectVersion(
                object.key(),
                Objects.requireNonNull(object.info().etag()),
                object.content().size());
        CountingReply reply = new CountingReply();
        long hits = 0;
        while (reply.count() < bytes) {
            try (ObjectReader reader = readers.open(version)) {
                long most = Math.min(version.size(), bytes - reply.count());
                for (long offset = 0; offset < most; offset += READ) {
                    if (reader.readNow(offset, READ, reply)) {
                        hits++;
                    } else {
                        reader.read(offset, READ, reply);
                    }
                }
            }
        }
        return hits;
    }

    private static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }
}
