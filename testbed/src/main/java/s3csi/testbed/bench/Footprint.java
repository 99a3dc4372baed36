package s3csi.testbed.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import s3csi.testbed.csi.ControllerProgram;
import s3csi.testbed.process.Await;
import s3csi.testbed.process.Scratch;

/**
 * What the programs cost before they do anything: resident memory when idle, and the time from start to ready. Prints a table,
 * or JSON with {@code --json}; ends with 1 when a bar is missed.
 */
public final class Footprint {
    private static final int ROUNDS = 5;

    /** Resident memory of the controller, in MB of a million bytes. */
    private static final double CONTROLLER_BAR_MB = 110;

    private static final Map<String, String> ENVIRONMENT = Map.of(
            "CSI_CONTROLLER_ONLY", "true",
            "CSI_NODE_NAME", "controller",
            "AWS_ENDPOINT_URL", URI.create("http://127.0.0.1:9").toString());

    private Footprint() {}

    /** Medians of the rounds. */
    private record Figures(double readyMillis, double cpuMillis, double rssMegabytes, double anonymousMegabytes) {}

    public static void main(String[] arguments) throws IOException {
        boolean json = List.of(arguments).contains("--json");
        Figures[] rounds = new Figures[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            rounds[round] = measure();
        }
        Figures median = new Figures(
                median(Arrays.stream(rounds).mapToDouble(Figures::readyMillis).toArray()),
                median(Arrays.stream(rounds).mapToDouble(Figures::cpuMillis).toArray()),
                median(Arrays.stream(rounds).mapToDouble(Figures::rssMegabytes).toArray()),
                median(Arrays.stream(rounds)
                        .mapToDouble(Figures::anonymousMegabytes)
                        .toArray()));
        boolean held = median.rssMegabytes <= CONTROLLER_BAR_MB;
        System.out.printf(
                Locale.ROOT,
                json ? JSON : TABLE,
                ROUNDS,
                median.readyMillis,
                median.cpuMillis,
                median.rssMegabytes,
                median.anonymousMegabytes,
                CONTROLLER_BAR_MB,
                json ? String.valueOf(held) : held ? "held" : "MISSED");
        System.exit(held ? 0 : 1);
    }

    private static final String TABLE = """
            controller, idle, medians of %d starts with the AOT cache
              start to ready        %8.0f ms
              CPU until then        %8.0f ms
              resident memory       %8.1f MB, of it anonymous %.1f MB (bar: at most %.0f MB, %s)
            """;

    private static final String JSON = """
            {"program": "controller", "rounds": %d, "readyMillis": %.0f, "cpuMillis": %.0f, "rssMegabytes": %.1f, \
            "anonymousMegabytes": %.1f, "barMegabytes": %.0f, "held": %s}
            """;

    private static Figures measure() throws IOException {
        long started = System.nanoTime();
        try (ControllerProgram program = ControllerProgram.start(ENVIRONMENT, Scratch.directory("footprint"))) {
            double ready = (System.nanoTime() - started) / 1e6;
            Path status = Path.of("/proc", Long.toString(program.process().pid()), "status");
            double cpu = ProcessHandle.of(program.process().pid())
                    .flatMap(process -> process.info().totalCpuDuration())
                    .map(Duration::toMillis)
                    .orElse(0L);
            settle(status);
            return new Figures(ready, cpu, megabytes(status, "VmRSS"), megabytes(status, "RssAnon"));
        }
    }

    /** Idle means that memory no longer grows. */
    private static void settle(Path status) {
        double[] last = {0};
        Await.until(Duration.ofSeconds(20), () -> "memory still grows", () -> {
            double now = megabytesOrFail(status);
            boolean settled = now <= last[0];
            last[0] = now;
            return settled;
        });
    }

    private static double megabytesOrFail(Path status) {
        try {
            return megabytes(status, "VmRSS");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double megabytes(Path status, String field) throws IOException {
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith(field + ":"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) * 1024 / 1e6)
                .findFirst()
                .orElseThrow();
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}
