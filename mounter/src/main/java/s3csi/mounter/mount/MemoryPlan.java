package s3csi.mounter.mount;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import s3csi.filesystem.FileSystemConfig;
import s3csi.mounter.config.ClientConfig;
import s3csi.mounter.config.StartFailure;

/**
 * How much memory the data and names of a mount may take.
 *
 * <p>The target is what the whole process shall stay below, counted as a container's limit is: without pages of the program's own files,
 * which the kernel drops when it needs them. It is given by the user, or the limit of the container. The JVM itself needs part of
 * it; the rest is for data and names, but never less than 52 MiB, because no file could be read and written at the same time with less. A
 * target or container that has no room for both is refused: the kernel would kill the engine under load, and the mount with it.
 */
final class MemoryPlan {
    private static final long MIB = 1 << 20;
    /** Where nothing limits us: enough to read at full speed, and 256 MiB without names; little enough for many mounts on a node. */
    private static final long WITHOUT_LIMIT = 296 * MIB;
    /**
     * What is there beside heap and data. With a hundred readers and twenty writers 40 MiB were measured: 12 of classes from the AOT
     * cache, 16 of the compilers and of other C code, 6 of compiled code, 4 of request buffers, the rest stacks and what the kernel
     * counts besides.
     */
    private static final long OUTSIDE_HEAP = 44 * MIB;
    /** What writes that wait for memory may take of {@link #OUTSIDE_HEAP}. */
    private static final long MOST_WAITING = 8 * MIB;

    private static final String VERSION_2 = "0::/";
    private static final String LIMIT_2 = "memory.max";
    private static final String LIMIT_1 = "memory.limit_in_bytes";

    private MemoryPlan() {}

    /** Bytes for data and names. */
    static long budget(OptionalLong target, OptionalLong containerLimit, long maxHeap) throws StartFailure {
        if (containerLimit.isPresent() && containerLimit.getAsLong() < ClientConfig.LEAST_MEMORY) {
            throw new StartFailure(
                    "the container may use " + (containerLimit.getAsLong() >> 20) + " MiB of memory, and a mount needs "
                            + (ClientConfig.LEAST_MEMORY >> 20) + " MiB at least; raise the container's memory limit",
                    null);
        }
        if (target.isEmpty() && containerLimit.isEmpty()) {
            return WITHOUT_LIMIT;
        }
        long whole = Math.min(target.orElse(Long.MAX_VALUE), containerLimit.orElse(Long.MAX_VALUE));
        return Math.max(FileSystemConfig.LEAST_MEMORY, whole - maxHeap - OUTSIDE_HEAP);
    }

    /** Bytes for writes that wait until there is memory for them, where there are so many for data. */
    static long waitingWrites(long budget) {
        return Math.min(MOST_WAITING, budget / 16);
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
        Path newer = root.resolve("sys/fs/cgroup");
        Path older = newer.resolve("memory");
        List<Path> files = new ArrayList<>(List.of(newer.resolve(LIMIT_2), older.resolve(LIMIT_1)));
        Path list = root.resolve("proc/self/cgroup");
        for (String line : Files.exists(list) ? Files.readAllLines(list) : List.<String>of()) {
            // hierarchy:controllers:/group; of the second version there is one, with no controllers named.
            String[] parts = line.split(":", 3);
            if (line.startsWith(VERSION_2)) {
                addUpwards(files, newer, parts[2], LIMIT_2);
            } else if (parts.length == 3 && List.of(parts[1].split(",")).contains("memory")) {
                addUpwards(files, older, parts[2], LIMIT_1);
            }
        }
        return files;
    }

    private static void addUpwards(List<Path> files, Path groups, String ours, String name) {
        Path group = groups.resolve(ours.substring(1)).normalize();
        while (group.startsWith(groups)) {
            files.add(group.resolve(name));
            group = group.resolve("..").normalize();
        }
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
