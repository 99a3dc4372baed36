package s3csi.testbed.csi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import s3csi.linux.LinuxException;
import s3csi.linux.Processes;

/**
 * The process of an engine, found by the comm directory on its command line.
 *
 * @param comm its comm directory
 */
public record FoundEngine(int pid, Path comm) {
    private static final String COMM_DIRECTORY = "--comm-dir=";

    /** All whose comm directory lies below a directory. */
    public static List<FoundEngine> below(Path directory) {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes
                    .filter(process -> process.getFileName().toString().matches("[0-9]+"))
                    .flatMap(FoundEngine::of)
                    .filter(engine -> engine.comm.startsWith(directory))
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot list the processes", failure);
        }
    }

    private static Stream<FoundEngine> of(Path process) {
        int pid = Integer.parseInt(process.getFileName().toString());
        return arguments(process)
                .filter(argument -> argument.startsWith(COMM_DIRECTORY))
                .map(argument -> new FoundEngine(pid, Path.of(argument.substring(COMM_DIRECTORY.length()))));
    }

    /** None when it has ended. */
    private static Stream<String> arguments(Path process) {
        try {
            byte[] line = Files.readAllBytes(process.resolve("cmdline"));
            return Arrays.stream(new String(line, StandardCharsets.UTF_8).split("\u0000", -1));
        } catch (IOException ended) {
            return Stream.empty();
        }
    }

    public boolean isAlive() {
        return of(Path.of("/proc", Integer.toString(pid))).anyMatch(found -> found.comm.equals(comm));
    }

    /** Whether all its threads have stopped: a signal is delivered to each when it is its turn. One that ends meanwhile has not. */
    public boolean isStopped() {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Integer.toString(pid), "task"))) {
            return threads.allMatch(FoundEngine::hasStopped);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot look at the threads of the engine " + pid, failure);
        }
    }

    private static boolean hasStopped(Path thread) {
        try {
            String status = Files.readString(thread.resolve("stat"));
            return status.charAt(status.lastIndexOf(')') + 2) == 'T';
        } catch (IOException failure) {
            if (Files.exists(thread)) {
                throw new UncheckedIOException("cannot look at " + thread, failure);
            }
            return false;
        }
    }

    public void kill() {
        ProcessHandle.of(pid).filter(_ -> isAlive()).ifPresent(ProcessHandle::destroyForcibly);
    }

    public void signal(int signal) {
        try {
            Processes.kill(pid, signal);
        } catch (LinuxException failure) {
            throw new UncheckedIOException("cannot signal the engine " + pid, failure);
        }
    }
}
