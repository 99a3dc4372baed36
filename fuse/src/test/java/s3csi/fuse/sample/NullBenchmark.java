package s3csi.fuse.sample;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import s3csi.fuse.OpenFlags;
import s3csi.fuse.session.FuseSession;
import s3csi.fuse.session.SessionEvents;
import s3csi.fuse.session.SessionSettings;
import s3csi.linux.FuseDevice;
import s3csi.linux.FuseMountOptions;
import s3csi.linux.Mounts;

/**
 * What FUSE and this session cost by themselves: reads of {@link NullFileSystem}, made by another process, and the CPU that this
 * one spends on them. Needs root. Run it with the class path of the tests; the number of rounds is the only argument.
 */
public final class NullBenchmark {
    private static final Duration STARTED = Duration.ofSeconds(10);
    private static final int SECONDS = 3;

    private NullBenchmark() {}

    private record Job(String name, String kind, int blockSize, int jobs, int openFlags) {}

    private static final List<Job> JOBS = List.of(
            new Job("random 4 KiB, 1 job", "random", 4096, 1, OpenFlags.DIRECT_IO),
            new Job("random 4 KiB, 4 jobs", "random", 4096, 4, OpenFlags.DIRECT_IO),
            new Job("sequential 1 MiB direct, 1 job", "sequential", 1 << 20, 1, OpenFlags.DIRECT_IO),
            new Job("sequential 1 MiB buffered, 1 job", "sequential", 1 << 20, 1, 0));

    public static void main(String[] arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 3;
        for (int round = 1; round <= rounds; round++) {
            for (Job job : JOBS) {
                run(round, job);
            }
        }
    }

    private static void run(int round, Job job) throws Exception {
        Path root = Files.createTempDirectory("s3csi-null");
        FuseDevice device = FuseDevice.open();
        Mounts.mountFuse(device, "mountpoint-s3", root, FuseMountOptions.ownedBy(0, 0));
        try {
            FuseSession session = FuseSession.start(
                    device, new NullFileSystem(job.openFlags()), SessionSettings.defaults(), new SessionEvents() {});
            if (session.awaitStarted(STARTED).isEmpty()) {
                throw new IOException("the kernel did not ask for INIT");
            }
            long cpuBefore = cpuNanos();
            double operations = load(root.resolve(NullFileSystem.NAME), job);
            double cpu = (cpuNanos() - cpuBefore) / 1e9;
            report(round, job, operations, cpu);
        } finally {
            Mounts.unmount(root, Mounts.Unmount.DETACH);
            Files.delete(root);
        }
    }

    private static void report(int round, Job job, double operations, double cpu) {
        double mebibytes = operations * job.blockSize() / (1 << 20);
        boolean small = job.blockSize() < 1 << 20;
        System.out.println(String.format(
                Locale.ROOT,
                "round %d  %-34s %9.0f ops/s %8.0f MiB/s  server CPU %.3f s per %s",
                round,
                job.name(),
                operations / SECONDS,
                mebibytes / SECONDS,
                small ? cpu * 100_000 / operations : cpu * 1024 / mebibytes,
                small ? "100,000 ops" : "GiB"));
    }

    /** Lets another process read for a while and returns how many reads it made. */
    private static double load(Path file, Job job) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ReadLoad.class.getName(),
                        file.toString(),
                        job.kind(),
                        Integer.toString(job.blockSize()),
                        Integer.toString(job.jobs()),
                        Integer.toString(SECONDS))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String count = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("the reading process failed");
        }
        return Double.parseDouble(count.strip());
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
