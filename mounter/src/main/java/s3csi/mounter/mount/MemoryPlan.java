package s3csi.mounter.mount;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import s3csi.mounter.config.StartFailure;

/**
 * How much memory the data of a mount may take.
 *
 * <p>The target is what the whole process shall stay below: given by the user, or the limit of the container. The JVM itself needs
 * part of it; the rest is for data, but never less than 64 MiB, because no file could be read and written at the same time with less.
 */
final class MemoryPlan {
    private static final long MIB = 1 << 20;
    private static final long FLOOR = 64 * MIB;
    /** Where nothing limits us: enough to read at full speed, little enough for many mounts on a node. */
    private static final long WITHOUT_LIMIT = 256 * MIB;
    /** Class metadata, compiled code, stacks and the collector's own, beside the heap. */
    private static final long OUTSIDE_HEAP = 64 * MIB;

    private static final String VERSION_2 = "0::";

    private MemoryPlan() {}

    /** Bytes for data. */
    static long budget(OptionalLong target, OptionalLong containerLimit, long maxHeap) {
        if (target.isEmpty() && containerLimit.isEmpty()) {
            return WITHOUT_LIMIT;
        }
        long whole = target.isPresent() ? target.getAsLong() : containerLimit.getAsLong();
        return Math.max(FLOOR, whole - maxHeap - OUTSIDE_HEAP);
    }

    /** The tightest limit of the control groups that this process is in, found below the given root directory. */
    static OptionalLong containerLimit(Path root) throws StartFailure {
        try {
            OptionalLong least = OptionalLong.empty();
            for (Path file : limitFiles(root)) {
                OptionalLong limit = limit(file);
                if (limit.isPresent() && (least.isEmpty() || limit.getAsLong() < least.getAsLong())) {
                    least = limit;
                }
            }
            return least;
        } catch (IOException e) {
            throw new StartFailure("the memory limit of the container cannot be read; give --memory-target", e);
        }
    }

    /** Those of our group and of all above it. A container usually sees itself as the root, whatever its own group is called. */
    private static List<Path> limitFiles(Path root) throws IOException {
        List<Path> files = new ArrayList<>();
        Path groups = root.resolve("sys/fs/cgroup");
        files.add(groups.resolve("memory/memory.limit_in_bytes"));
        Path list = root.resolve("proc/self/cgroup");
        for (String line : Files.exists(list) ? Files.readAllLines(list) : List.<String>of()) {
            if (line.startsWith(VERSION_2)) {
                Path group =
                        groups.resolve(line.substring(VERSION_2.length() + 1)).normalize();
                while (group.startsWith(groups)) {
                    files.add(group.resolve("memory.max"));
                    group = group.resolve("..").normalize();
                }
            }
        }
        return files;
    }

    private static OptionalLong limit(Path file) throws IOException {
        if (!Files.exists(file)) {
            return OptionalLong.empty();
        }
        String text = Files.readString(file).strip();
        // "max" is version 2's word for no limit; version 1 says it with a number that no machine has.
        return text.matches("\\d{1,17}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }
}
