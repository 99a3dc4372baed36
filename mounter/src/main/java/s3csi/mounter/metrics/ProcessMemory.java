package s3csi.mounter.metrics;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this process holds in memory. */
public final class ProcessMemory {
    private static final Path STATUS = Path.of("/proc/self/status");

    private ProcessMemory() {}

    /** Resident bytes, as the kernel counts them. */
    public static long resident() {
        try {
            for (String line : Files.readAllLines(STATUS)) {
                if (line.startsWith("VmRSS:")) {
                    return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
                }
            }
            throw new IllegalStateException(STATUS + " does not tell the resident memory");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
