package s3csi.linux;

import static s3csi.linux.Poll.POLLPRI;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The mounts that this process sees, at one moment.
 *
 * <p>Reading the table asks no file system anything, so it is the one safe way to look at a mount whose server may be dead.
 */
public final class MountTable {
    private static final Path PATH = Path.of("/proc/self/mountinfo");
    private static final int LARGEST = 64 << 20;
    private static final int ATTEMPTS = 100;

    private final List<MountEntry> entries;

    private MountTable(List<MountEntry> entries) {
        this.entries = entries;
    }

    /**
     * Reads the table whole. The kernel hands it out in pieces and mounts may come and go in between, so that lines are lost; it also
     * tells, by poll, that something changed since the file was opened: then it is read again.
     */
    public static MountTable read() throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try (Descriptor file = PlainFiles.open(PATH, FileFlags.O_RDONLY | FileFlags.O_CLOEXEC)) {
                byte[] text = PlainFiles.read(file, LARGEST);
                if (Poll.once(file, POLLPRI, Duration.ZERO) == 0) {
                    return parse(new String(text, StandardCharsets.UTF_8));
                }
            }
        }
        throw new IOException("the mount table changed during each of " + ATTEMPTS
                + " attempts to read it; something mounts and unmounts without pause, try again later");
    }

    static MountTable parse(String text) {
        return new MountTable(
                text.lines().flatMap(line -> MountEntry.parse(line).stream()).toList());
    }

    /** All mounts, in the order of the table: later ones cover earlier ones at the same place. */
    public List<MountEntry> entries() {
        return entries;
    }

    /** All mounts at exactly this path, which must be absolute and without symbolic links; the last one is on top. */
    public List<MountEntry> at(Path mountPoint) {
        return select(entry -> entry.isAt(mountPoint));
    }

    /** The mount that one sees at exactly this path. */
    public Optional<MountEntry> topAt(Path mountPoint) {
        List<MountEntry> all = at(mountPoint);
        return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
    }

    /** All mounts of one file system: the first one and its bind mounts. */
    public List<MountEntry> of(DeviceNumber device) {
        return select(entry -> entry.device().equals(device));
    }

    /** The mounts of one file system at or below a directory: who there still refers to it. */
    public List<MountEntry> references(DeviceNumber device, Path directory) {
        return select(entry -> entry.device().equals(device) && (entry.isAt(directory) || entry.isBelow(directory)));
    }

    private List<MountEntry> select(Predicate<MountEntry> wanted) {
        return entries.stream().filter(wanted).toList();
    }
}
