package s3csi.s3.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** One contender in a JVM of its own: warms up, then prints wall seconds, CPU seconds and peak resident kilobytes. */
final class TransportRun {
    private TransportRun() {}

    public static void main(String[] arguments) throws Exception {
        int streams = Integer.parseInt(arguments[1]);
        Contender.Task task = new Contender.Task(URI.create(arguments[2]), Path.of(arguments[3]), streams);
        try (Contender contender = Contender.named(arguments[0], task);
                Arena arena = Arena.ofShared()) {
            List<MemorySegment> buffers = new ArrayList<>();
            for (int i = 0; i < streams; i++) {
                buffers.add(arena.allocate(TransportBakeOff.RANGE));
            }
            boolean onPlatformThreads = arguments[0].equals(Contender.OWN_ON_PLATFORM_THREADS);
            fetchAll(contender, buffers, onPlatformThreads);
            OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            long cpu = system.getProcessCpuTime();
            long start = System.nanoTime();
            fetchAll(contender, buffers, onPlatformThreads);
            System.out.printf(
                    Locale.ROOT,
                    "%.3f %.3f %d%n",
                    (System.nanoTime() - start) / 1e9,
                    (system.getProcessCpuTime() - cpu) / 1e9,
                    peakResident());
        }
    }

    private static void fetchAll(Contender contender, List<MemorySegment> buffers, boolean onPlatformThreads)
            throws Exception {
        AtomicLong next = new AtomicLong();
        try (ExecutorService threads =
                onPlatformThreads ? Executors.newCachedThreadPool() : Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (MemorySegment buffer : buffers) {
                running.add(threads.submit(() -> {
                    long position = next.getAndAdd(TransportBakeOff.RANGE);
                    while (position < TransportBakeOff.TOTAL) {
                        contender.fetch(position % TransportBakeOff.OBJECT, buffer);
                        position = next.getAndAdd(TransportBakeOff.RANGE);
                    }
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        }
    }

    private static long peakResident() throws Exception {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }
}
