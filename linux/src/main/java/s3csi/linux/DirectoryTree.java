package s3csi.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The removal of a directory with all below it, in which somebody less privileged may write even now.
 *
 * <p>No path is walked: every step is one name, relative to a directory that is open. The kernel opens the next directory only if the
 * name is really a directory, no symbolic link, and nothing is mounted on it; links are removed themselves. Names are bytes, because
 * not every name that a program can make is text. A tree that is deeper than we go is brought up in pieces, so that no depth costs more
 * than a few descriptors and stack frames.
 */
public final class DirectoryTree {
    static final int AT_REMOVEDIR = 0x200;
    static final long RESOLVE_NO_XDEV = 1;

    /** Where the fields of an entry are; its name goes on to a NUL. */
    static final long LENGTH_OFFSET = 16;

    static final long NAME_OFFSET = 19;

    private static final CFunction UNLINKAT = CFunction.named("unlinkat");
    private static final CFunction RENAMEAT = CFunction.named("renameat");
    private static final CFunction LSEEK = CFunction.named("lseek");

    private static final int BUFFER = 32 << 10;
    private static final int DEEPEST = 32;
    /** Enough for trees of hundreds of thousands of levels, and an end if somebody makes files as fast as they are removed. */
    private static final int MOST_PASSES = 10_000;

    private static final int SEEK_SET = 0;

    private final Path tree;

    private DirectoryTree(Path tree) {
        this.tree = tree;
    }

    /**
     * Removes what is at the path, if anything is. What is mounted in the tree is an error (EXDEV, or EBUSY for a file) and stays, with
     * whatever was not reached yet.
     *
     * @param tree whose parent is trusted
     */
    public static void remove(Path tree) throws LinuxException {
        Path absolute = tree.toAbsolutePath();
        Path parent = Objects.requireNonNull(absolute.getParent(), "the root directory is not removed");
        byte[] name = absolute.getFileName().toString().getBytes(StandardCharsets.UTF_8);
        try (Descriptor directory =
                PlainFiles.open(parent, FileFlags.O_PATH | FileFlags.O_DIRECTORY | FileFlags.O_CLOEXEC)) {
            new DirectoryTree(absolute).removeWhole(directory, name);
        }
    }

    private void removeWhole(Descriptor parent, byte[] name) throws LinuxException {
        if (unlink(parent, name, 0)) {
            return;
        }
        try (Descriptor root = openDirectory(parent, name)) {
            if (root != null) {
                clear(root, root, 0);
            }
        }
        unlink(parent, name, AT_REMOVEDIR);
    }

    /** Removes what is in a directory. Entries may be passed over while others are removed, so it is read until it is empty. */
    private void clear(Descriptor root, Descriptor directory, int depth) throws LinuxException {
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment buffer = memory.allocate(BUFFER, Long.BYTES);
            for (int pass = 0; pass < MOST_PASSES; pass++) {
                Calls.check(
                        "lseek", directory, (arena, captured) -> LSEEK.call(captured, directory.number(), 0, SEEK_SET));
                boolean isEmpty = true;
                for (List<byte[]> names = read(directory, buffer); !names.isEmpty(); names = read(directory, buffer)) {
                    for (byte[] name : names) {
                        isEmpty &= isDot(name);
                        removeEntry(root, directory, name, depth);
                    }
                }
                if (isEmpty) {
                    return;
                }
            }
        }
    }

    private void removeEntry(Descriptor root, Descriptor directory, byte[] name, int depth) throws LinuxException {
        if (isDot(name) || unlink(directory, name, 0)) {
            return;
        }
        if (depth >= DEEPEST) {
            bringUp(root, directory, name);
            return;
        }
        try (Descriptor below = openDirectory(directory, name)) {
            if (below != null) {
                clear(root, below, depth + 1);
            }
        }
        unlink(directory, name, AT_REMOVEDIR);
    }

    /** To the root under a new name, where a later pass finds it. */
    private void bringUp(Descriptor root, Descriptor directory, byte[] name) throws LinuxException {
        String fresh = ".removed-" + UUID.randomUUID();
        Calls.check(
                "renameat",
                directory,
                (arena, captured) -> RENAMEAT.callInt(
                        captured, directory.number(), string(arena, name), root.number(), Native.string(arena, fresh)));
    }

    /**
     * Unlinks a name of the directory.
     *
     * @return false if it is a directory, and {@link #AT_REMOVEDIR} was not given
     */
    private boolean unlink(Descriptor directory, byte[] name, int flags) throws LinuxException {
        try {
            Calls.check(
                    "unlinkat " + text(name) + " in " + tree,
                    directory,
                    (arena, captured) -> UNLINKAT.callInt(captured, directory.number(), string(arena, name), flags));
            return true;
        } catch (LinuxException e) {
            if (e.errno() == Errno.EISDIR && flags == 0) {
                return false;
            }
            // Somebody who removes the same, such as an engine its socket, did what we want.
            if (e.errno() == Errno.ENOENT) {
                return true;
            }
            throw e;
        }
    }

    /** Null if it is not there any more. */
    private @Nullable Descriptor openDirectory(Descriptor parent, byte[] name) throws LinuxException {
        parent.use();
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment how = memory.allocate(Directory.OPEN_HOW);
            how.set(JAVA_LONG, 0, FileFlags.O_RDONLY | FileFlags.O_DIRECTORY | FileFlags.O_CLOEXEC);
            how.set(JAVA_LONG, 16, Directory.RESOLVE_BENEATH | Directory.RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV);
            long number = SystemCalls.call(
                    SystemCalls.OPENAT2,
                    parent.number(),
                    string(memory, name),
                    how.address(),
                    Directory.OPEN_HOW.byteSize());
            if (number == -Errno.ENOENT) {
                return null;
            }
            if (number < 0) {
                String mounted = number == -Errno.EXDEV ? ", on which something is mounted; unmount it first" : "";
                throw new LinuxException("openat2", text(name) + " in " + tree + mounted, (int) -number);
            }
            return Descriptor.owning((int) number);
        } finally {
            parent.endUse();
        }
    }

    /** The next names of a directory; none at its end. */
    private List<byte[]> read(Descriptor directory, MemorySegment buffer) throws LinuxException {
        directory.use();
        try {
            long size = SystemCalls.call(
                    SystemCalls.GETDENTS64, directory.number(), buffer.address(), buffer.byteSize(), 0);
            if (size < 0) {
                throw new LinuxException("getdents64", "in " + tree, (int) -size);
            }
            List<byte[]> names = new ArrayList<>();
            for (long at = 0; at < size; ) {
                long length = Short.toUnsignedLong(buffer.get(JAVA_SHORT, at + LENGTH_OFFSET));
                byte[] padded =
                        buffer.asSlice(at + NAME_OFFSET, length - NAME_OFFSET).toArray(JAVA_BYTE);
                names.add(upToNul(padded));
                at += length;
            }
            return names;
        } finally {
            directory.endUse();
        }
    }

    private static byte[] upToNul(byte[] padded) {
        int end = 0;
        while (end < padded.length && padded[end] != 0) {
            end++;
        }
        return Arrays.copyOf(padded, end);
    }

    private static boolean isDot(byte[] name) {
        return name[0] == '.' && (name.length == 1 || (name.length == 2 && name[1] == '.'));
    }

    private static long string(Arena arena, byte[] name) {
        MemorySegment text = arena.allocate(name.length + 1L);
        MemorySegment.copy(name, 0, text, JAVA_BYTE, 0, name.length);
        return text.address();
    }

    private static String text(byte[] name) {
        return new String(name, StandardCharsets.UTF_8);
    }
}
