package s3csi.testbed.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.process.Scratch;
import s3csi.testbed.csi.DriverProgram;

/**
 * What our processes cost before they do anything: the time from start to ready, and their resident memory when idle; the controller
 * with its AOT cache and without, in turns, and the engine. Prints a table, or JSON with {@code --json}; ends with 1 when a bar is missed.
 */
public final class Footprint {
    private static final int ROUNDS = 5;

    /** Resident memory, in MB of a million bytes. */
    private static final double BAR_MB = 110;

    private static final Map<String, String> ENVIRONMENT = Map.of(
            "CSI_CONTROLLER_ONLY", "true",
            "CSI_NODE_NAME", "controller",
            "AWS_ENDPOINT_URL", "http://127.0.0.1:9");

    private Footprint() {}

    record Figures(double readyMillis, double cpuMillis, double rssMegabytes, double anonymousMegabytes) {
        static Figures medianOf(List<Figures> rounds) {
            return new Figures(
                    median(rounds, Figures::readyMillis),
                    median(rounds, Figures::cpuMillis),
                    median(rounds, Figures::rssMegabytes),
                    median(rounds, Figures::anonymousMegabytes));
        }

        private static double median(List<Figures> rounds, ToDoubleFunction<Figures> figure) {
            return rounds.stream()
                    .mapToDouble(figure)
                    .sorted()
                    .skip(rounds.size() / 2)
                    .findFirst()
                    .orElseThrow();
        }
    }

    public static void main(String[] arguments) {
        List<Figures> with = new ArrayList<>();
        List<Figures> without = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            // AOTMode=on makes the JVM refuse to start when the cache does not fit, instead of quietly doing without.
            with.add(measure("-XX:AOTMode=on"));
            without.add(measure("-XX:AOTMode=off"));
        }
        Figures cached = Figures.medianOf(with);
        Figures mounter = EngineFootprint.mounter();
        Figures mountS3 = EngineFootprint.mountS3();
        boolean held =
                cached.rssMegabytes <= BAR_MB && EngineFootprint.holds(mounter) && EngineFootprint.holds(mountS3);
        if (List.of(arguments).contains("--json")) {
            System.out.printf(
                    Locale.ROOT,
                    "{\"rounds\": %d, \"cached\": %s, \"uncached\": %s, \"barMegabytes\": %.0f, \"mounter\": %s,"
                            + " \"mountS3\": %s, \"engineBarMillis\": %.0f, \"engineBarMegabytes\": %.0f, \"held\": %s}%n",
                    ROUNDS,
                    json(cached),
                    json(Figures.medianOf(without)),
                    BAR_MB,
                    json(mounter),
                    json(mountS3),
                    EngineFootprint.BAR_MILLIS,
                    EngineFootprint.BAR_MB,
                    held);
        } else {
            System.out.printf(Locale.ROOT, "controller, idle, medians of %d starts in turns%n", ROUNDS);
            System.out.println("              start to ready      CPU    resident   anonymous");
            row("AOT cache", cached);
            row("no cache", Figures.medianOf(without));
            System.out.println("engine, from its start to the first answer of the mount, with the AOT cache");
            row("mounter", mounter);
            row("mount-s3", mountS3);
            System.out.printf(
                    Locale.ROOT,
                    "bars: the controller at most %.0f MB resident, an engine %.0f ms and %.0f MB: %s%n",
                    BAR_MB,
                    EngineFootprint.BAR_MILLIS,
                    EngineFootprint.BAR_MB,
                    held ? "held" : "MISSED");
        }
        System.exit(held ? 0 : 1);
    }

    private static void row(String name, Figures figures) {
        System.out.printf(
                Locale.ROOT,
                "  %-10s %11.0f ms %6.0f ms %8.1f MB %8.1f MB%n",
                name,
                figures.readyMillis,
                figures.cpuMillis,
                figures.rssMegabytes,
                figures.anonymousMegabytes);
    }

    private static String json(Figures figures) {
        return String.format(
                Locale.ROOT,
                "{\"readyMillis\": %.0f, \"cpuMillis\": %.0f, \"rssMegabytes\": %.1f, \"anonymousMegabytes\": %.1f}",
                figures.readyMillis,
                figures.cpuMillis,
                figures.rssMegabytes,
                figures.anonymousMegabytes);
    }

    private static Figures measure(String mode) {
        Map<String, String> environment = new HashMap<>(ENVIRONMENT);
        environment.put("JDK_JAVA_OPTIONS", mode);
        long started = System.nanoTime();
        try (DriverProgram program = DriverProgram.start(environment, Scratch.directory("footprint"))) {
            double ready = (System.nanoTime() - started) / 1e6;
            return figures(ready, program.process().pid());
        }
    }

    /** What a process that has just become ready needed, and what it holds when it is idle. */
    private static Figures figures(double readyMillis, long pid) {
        return figures(readyMillis, pid, Footprint::awaitIdle);
    }

    static Figures figures(double readyMillis, long pid, Consumer<Path> idle) {
        Path status = Path.of("/proc", Long.toString(pid), "status");
        double cpu = ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .map(Duration::toMillis)
                .orElse(0L);
        idle.accept(status);
        return new Figures(readyMillis, cpu, megabytes(status, "VmRSS"), megabytes(status, "RssAnon"));
    }

    /** Idle means that memory no longer grows. */
    private static void awaitIdle(Path status) {
        double[] last = {0};
        Await.until(Duration.ofSeconds(20), () -> "memory still grows", () -> {
            double now = megabytes(status, "VmRSS");
            boolean idle = now <= last[0];
            last[0] = now;
            return idle;
        });
    }

    private static double megabytes(Path status, String field) {
        try {
            return Files.readAllLines(status).stream()
                    .filter(line -> line.startsWith(field + ":"))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) * 1024 / 1e6)
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
