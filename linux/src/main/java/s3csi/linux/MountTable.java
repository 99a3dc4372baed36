package s3csi.linux;

import static s3csi.linux.Poll.POLLPRI;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The mounts that a process sees. Every question reads the table anew.
 *
 * <p>Reading it asks no file system anything, so it is the one safe way to look at a mount whose server may be dead. A node may have
 * thousands of mounts and be asked by many at once, so the table is read line by line and only what was asked for is kept.
 */
public final class MountTable {
    private static final MountTable CURRENT = new MountTable(Path.of("/proc/self/mountinfo"));

    /** Paths have at most 16 KiB in the kernel's escapes. What is beyond this is the end of a file system's options. */
    private static final int LONGEST_LINE = 1 << 16;

    private static final int ATTEMPTS = 100;

    /**
     * Answers in a row that are the same are right, however much else changed meanwhile: since Linux 5.8 a mount that stays is in every reading,
     * and before, it would have to be missed in each of these.
     */
    private static final int AGREEING_ANSWERS = 3;

    private final Path file;

    MountTable(Path file) {
        this.file = file;
    }

    /** The mounts of this process. */
    public static MountTable current() {
        return CURRENT;
    }

    /** All mounts that are wanted, in the order of the table. */
    public List<MountEntry> select(Predicate<MountEntry> wanted) throws IOException {
        return collect(entry -> wanted.test(entry) ? Stream.of(entry) : Stream.empty());
    }

    /** What is wanted of each mount, in the order of the table. */
    public <T> List<T> collect(Function<MountEntry, Stream<T>> wanted) throws IOException {
        return settled(
                table -> {
                    List<T> found = new ArrayList<>();
                    scan(table, entry -> {
                        wanted.apply(entry).forEach(found::add);
                        return true;
                    });
                    return found;
                },
                _ -> false);
    }

    /** Whether there is such a mount. Reads no further than to the first one. */
    public boolean any(Predicate<MountEntry> wanted) throws IOException {
        return settled(table -> !scan(table, entry -> !wanted.test(entry)), isThere -> isThere);
    }

    private interface Question<T> {
        T ask(Descriptor table) throws LinuxException;
    }

    /**
     * The answer of a table that did not change while it was read, or that many readings agree in. A node on which pods come and go may
     * never be at rest; what a question is about mostly is.
     *
     * @param certain of an answer: whatever changed meanwhile, it holds
     */
    private <T> T settled(Question<T> question, Predicate<T> certain) throws IOException {
        T last = null;
        int agreeing = 0;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try (Descriptor table = open()) {
                T answer = question.ask(table);
                agreeing = answer.equals(last) ? agreeing + 1 : 1;
                if (certain.test(answer) || agreeing == AGREEING_ANSWERS || isStill(table)) {
                    return answer;
                }
                last = answer;
            }
        }
        throw restless();
    }

    /** All mounts at exactly this path, which must be absolute and without symbolic links. */
    public List<MountEntry> at(Path mountPoint) throws IOException {
        return select(entry -> entry.isAt(mountPoint));
    }

    /** The mount that one sees at exactly this path. */
    public Optional<MountEntry> topAt(Path mountPoint) throws IOException {
        return top(at(mountPoint));
    }

    /**
     * Of several mounts at one path, the one on top: no other is mounted on it. Their order alone does not tell, because kernels list
     * mounts by when they were made, and one that was made first may be attached last.
     */
    public static Optional<MountEntry> top(List<MountEntry> atOnePath) {
        Set<Integer> covered = atOnePath.stream().map(MountEntry::parent).collect(Collectors.toSet());
        return atOnePath.stream().filter(entry -> !covered.contains(entry.id())).reduce((_, later) -> later);
    }

    private Descriptor open() throws LinuxException {
        return PlainFiles.open(file, FileFlags.O_RDONLY | FileFlags.O_CLOEXEC);
    }

    /** Hands out one entry after the other while the visitor wants more; false if it did not want all. */
    private static boolean scan(Descriptor table, Predicate<MountEntry> visitor) throws LinuxException {
        return PlainFiles.lines(
                table,
                LONGEST_LINE,
                line -> MountEntry.parse(line).map(visitor::test).orElse(true));
    }

    /**
     * The kernel hands the table out in pieces, and mounts may come and go in between, so that lines may be lost; it also tells, by poll,
     * that something changed since the file was opened.
     */
    private static boolean isStill(Descriptor table) throws LinuxException {
        return Poll.once(table, POLLPRI, Duration.ZERO) == 0;
    }

    private static IOException restless() {
        return new IOException("the mount table changed during each of " + ATTEMPTS
                + " attempts to read it; something mounts and unmounts without pause, try again later");
    }
}
