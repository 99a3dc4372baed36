package s3csi.testbed.bench.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import s3csi.testbed.contender.Texts;

/** What a process used, as the kernel counts it. */
public final class ProcessUse {
    /** The unit of CPU times in /proc: USER_HZ, which is 100 on every architecture that matters here. */
    private static final double TICKS_PER_SECOND = 100;

    private final Path proc;

    private ProcessUse(Path proc) {
        this.proc = proc;
    }

    public static ProcessUse of(long pid) {
        return new ProcessUse(Path.of("/proc", Long.toString(pid)));
    }

    /** CPU seconds so far, with those of children that have ended. */
    public double cpuSeconds() {
        String stat = Texts.read(proc.resolve("stat"));
        // The name in parentheses may hold anything; what follows its end are fields 3 and up.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        long ticks = 0;
        for (int field = 14; field <= 17; field++) {
            ticks += Long.parseLong(fields[field - 3]);
        }
        return ticks / TICKS_PER_SECOND;
    }

    /** Most resident memory since the last reset, in MB of a million bytes. */
    public double peakMegabytes() {
        return status("VmHWM");
    }

    public double residentMegabytes() {
        return status("VmRSS");
    }

    void resetPeak() throws IOException {
        Files.writeString(proc.resolve("clear_refs"), "5");
    }

    private double status(String field) {
        return Texts.read(proc.resolve("status"))
                .lines()
                .filter(line -> line.startsWith(field + ":"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) * 1024 / 1e6)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(proc + " has ended"));
    }
}
