package s3csi.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A directory in which somebody less privileged may write, opened once. Every name below it is resolved by the kernel with the rule
 * that it stays below and passes no symbolic link: what is reached is what is really there.
 */
public final class Directory implements AutoCloseable {
    static final StructLayout OPEN_HOW = MemoryLayout.structLayout(
            JAVA_LONG.withName("flags"), JAVA_LONG.withName("mode"), JAVA_LONG.withName("resolve"));
    static final long RESOLVE_NO_SYMLINKS = 4;
    static final long RESOLVE_BENEATH = 8;

    private static final CFunction MKDIRAT = CFunction.named("mkdirat");
    private static final CFunction RENAMEAT = CFunction.named("renameat");
    private static final CFunction UNLINKAT = CFunction.named("unlinkat");
    private static final CFunction FCHMOD = CFunction.named("fchmod");
    private static final CFunction FCHOWN = CFunction.named("fchown");

    private final Descriptor descriptor;
    private final Path path;

    private Directory(Descriptor descriptor, Path path) {
        this.descriptor = descriptor;
        this.path = path;
    }

    /** Opens a directory whose path is trusted. */
    public static Directory at(Path path) throws LinuxException {
        return new Directory(
                PlainFiles.open(path, FileFlags.O_PATH | FileFlags.O_DIRECTORY | FileFlags.O_CLOEXEC), path);
    }

    /** Where it was when it was opened. */
    public Path path() {
        return path;
    }

    Descriptor descriptor() {
        return descriptor;
    }

    /** Opens a directory below this one. */
    public Directory directory(String name) throws LinuxException {
        return new Directory(open(name, FileFlags.O_PATH | FileFlags.O_DIRECTORY, 0), path.resolve(name));
    }

    /**
     * Opens a file below. ELOOP if a symbolic link is in the way, EXDEV if the name leads out.
     *
     * @param mode permissions of a file that is created, else 0
     */
    public Descriptor open(String name, int flags, int mode) throws LinuxException {
        descriptor.use();
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment how = memory.allocate(OPEN_HOW);
            how.set(JAVA_LONG, 0, flags | FileFlags.O_CLOEXEC);
            how.set(JAVA_LONG, 8, mode);
            how.set(JAVA_LONG, 16, RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS);
            long number = SystemCalls.call(
                    SystemCalls.OPENAT2,
                    descriptor.number(),
                    Native.string(memory, name),
                    how.address(),
                    OPEN_HOW.byteSize());
            if (number < 0) {
                throw new LinuxException("openat2", path.resolve(name).toString(), (int) -number);
            }
            return Descriptor.owning((int) number);
        } finally {
            descriptor.endUse();
        }
    }

    /** The content of a regular file below, at most that many bytes. Never waits: a pipe put there is refused. */
    public byte[] read(String name, int limit) throws LinuxException {
        try (Descriptor file = regularFile(name)) {
            return PlainFiles.read(file, limit);
        }
    }

    /** The end of a regular file below, at most that many bytes. Never waits either. */
    public byte[] readEnd(String name, int limit) throws IOException {
        try (Descriptor file = regularFile(name);
                FileChannel channel = FileChannel.open(file.asPath(), StandardOpenOption.READ)) {
            ByteBuffer end = ByteBuffer.allocate((int) Math.min(limit, channel.size()));
            long from = channel.size() - end.capacity();
            int n = 0;
            // Whoever writes it may cut it off meanwhile.
            while (n >= 0 && end.hasRemaining()) {
                n = channel.read(end, from + end.position());
            }
            return Arrays.copyOf(end.array(), end.position());
        }
    }

    private Descriptor regularFile(String name) throws LinuxException {
        Descriptor file = open(name, FileFlags.O_RDONLY | FileFlags.O_NONBLOCK | FileFlags.O_NOCTTY, 0);
        try {
            if (FileStatus.of(file).isRegularFile()) {
                return file;
            }
            throw new LinuxException("read", path.resolve(name) + " which is no regular file", Errno.EINVAL);
        } catch (LinuxException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /**
     * Puts a file in place whole: readers see the old content or the new one. The owner is set before the file is seen; -1 leaves
     * user or group as they are.
     */
    public void replace(String name, byte[] content, int mode, int uid, int gid) throws LinuxException {
        String draft = "." + name + ".new";
        try {
            // One that somebody left who was killed.
            removeIfPresent(draft);
            replace(name, draft, content, mode, uid, gid);
        } catch (LinuxException e) {
            if (e.errno() != Errno.EISDIR && e.errno() != Errno.EEXIST) {
                throw e;
            }
            // Whoever may write here can put something in the way of a name that is known, but not of this one.
            replace(name, "." + name + "." + UUID.randomUUID() + ".new", content, mode, uid, gid);
        }
    }

    private void replace(String name, String draft, byte[] content, int mode, int uid, int gid) throws LinuxException {
        try (Descriptor file = open(draft, FileFlags.O_WRONLY | FileFlags.O_CREAT | FileFlags.O_EXCL, 0600)) {
            PlainFiles.write(file, content);
            Calls.check("fchown", file, (arena, captured) -> FCHOWN.callInt(captured, file.number(), uid, gid));
            Calls.check("fchmod", file, (arena, captured) -> FCHMOD.callInt(captured, file.number(), mode));
            Calls.check(
                    "renameat",
                    descriptor,
                    (arena, captured) -> RENAMEAT.callInt(
                            captured,
                            descriptor.number(),
                            plainName(arena, draft),
                            descriptor.number(),
                            plainName(arena, name)));
        } catch (LinuxException | RuntimeException e) {
            removeIfPresent(draft);
            throw e;
        }
    }

    /** Removes a file of this directory itself, and says whether it was there. */
    public boolean removeIfPresent(String name) throws LinuxException {
        try {
            Calls.check(
                    "unlinkat",
                    descriptor,
                    (arena, captured) -> UNLINKAT.callInt(captured, descriptor.number(), plainName(arena, name), 0));
            return true;
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return false;
            }
            throw e;
        }
    }

    /** Makes a directory in this one; EEXIST if anything has the name. */
    public void makeDirectory(String name, int mode) throws LinuxException {
        Calls.check(
                "mkdirat " + path.resolve(name),
                descriptor,
                (arena, captured) -> MKDIRAT.callInt(captured, descriptor.number(), plainName(arena, name), mode));
    }

    /** Sets the permissions of a directory in this one. */
    public void changeMode(String name, int mode) throws LinuxException {
        try (Descriptor child = open(name, FileFlags.O_RDONLY | FileFlags.O_DIRECTORY, 0)) {
            Calls.check("fchmod", child, (arena, captured) -> FCHMOD.callInt(captured, child.number(), mode));
        }
    }

    /** The names of all that is in it, in no order. */
    public List<String> names() throws IOException {
        try (Stream<Path> entries = Files.list(descriptor.asPath())) {
            return entries.map(entry -> String.valueOf(entry.getFileName())).toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Removes an empty directory of this one, and says whether it was there. ENOTEMPTY if it is not empty, EBUSY if something is mounted. */
    public boolean removeDirectoryIfPresent(String name) throws LinuxException {
        try {
            Calls.check(
                    "unlinkat " + path.resolve(name),
                    descriptor,
                    (arena, captured) -> UNLINKAT.callInt(
                            captured, descriptor.number(), plainName(arena, name), DirectoryTree.AT_REMOVEDIR));
            return true;
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return false;
            }
            throw e;
        }
    }

    // renameat, mkdirat and unlinkat do not know the rules of openat2: a name without a slash cannot lead anywhere
    // else.
    private static long plainName(Arena arena, String name) {
        if (name.isEmpty() || name.indexOf('/') >= 0 || name.equals(".") || name.equals("..")) {
            throw new IllegalArgumentException("\"" + name + "\" is not the name of a file in a directory");
        }
        return Native.string(arena, name);
    }

    @Override
    public void close() {
        descriptor.close();
    }
}
