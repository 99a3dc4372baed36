package s3csi.s3.testing.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A control group of the kernel with a limit for the memory of what runs in it, as a container has one. A process enters it by
 * writing 0 to {@link #entrance}.
 */
public final class MemoryGroup implements AutoCloseable {
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");
    private static final String NAME = "s3csi-testbed-";
    private static final AtomicInteger MADE = new AtomicInteger();

    private final Path directory;
    private final Path kills;

    private MemoryGroup(Path directory, Path kills) {
        this.directory = directory;
        this.kills = kills;
        LastRites.beforeExit(LastRites.Order.DIRECTORIES, this::close);
    }

    /** Needs root, and a machine whose memory controller is to be had. */
    public static MemoryGroup limitedTo(long bytes) {
        try {
            Path older = GROUPS.resolve("memory");
            boolean isOlder = Files.isDirectory(older);
            Path parent = isOlder ? older : GROUPS;
            if (!isOlder) {
                Files.writeString(parent.resolve("cgroup.subtree_control"), "+memory");
            }
            removeWhatTheDeadLeft(parent);
            Path directory = Files.createDirectory(
                    parent.resolve(NAME + ProcessHandle.current().pid() + "-" + MADE.incrementAndGet()));
            Files.writeString(
                    directory.resolve(isOlder ? "memory.limit_in_bytes" : "memory.max"), Long.toString(bytes));
            return new MemoryGroup(directory, directory.resolve(isOlder ? "memory.oom_control" : "memory.events"));
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot make a control group with a memory limit", failure);
        }
    }

    private static void removeWhatTheDeadLeft(Path parent) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(parent, NAME + "*")) {
            for (Path group : left) {
                String owner =
                        group.getFileName().toString().substring(NAME.length()).split("-", 2)[0];
                if (ProcessHandle.of(Long.parseLong(owner)).isEmpty()) {
                    Files.delete(group);
                }
            }
        }
    }

    public Path entrance() {
        return directory.resolve("cgroup.procs");
    }

    /** How many of its processes the kernel killed because the limit was reached. */
    public int kills() {
        try {
            List<String> lines = Files.readAllLines(kills);
            return lines.stream()
                    .filter(line -> line.startsWith("oom_kill "))
                    .mapToInt(line -> Integer.parseInt(line.substring("oom_kill ".length())))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(kills + " has no line oom_kill: " + lines));
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read " + kills, failure);
        }
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(directory);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot remove " + directory + "; something may still run in it", failure);
        }
    }
}
