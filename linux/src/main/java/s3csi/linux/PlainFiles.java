package s3csi.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Predicate;

/** Plain files by descriptor, for what has to be done with descriptors rather than paths. */
public final class PlainFiles {
    private static final CFunction OPEN = CFunction.named("open");
    private static final CFunction READ = CFunction.named("read");
    private static final CFunction WRITE = CFunction.named("write");
    private static final int CHUNK = 1 << 16;

    /** The kernel hands out its own tables a page at a time, whatever room it is offered. */
    private static final int LINES_CHUNK = 1 << 12;

    private PlainFiles() {}

    /** Opens a path; a new file gets mode 0600. */
    public static Descriptor open(Path path, int flags) throws LinuxException {
        return Descriptor.owning((int) Calls.check(
                "open",
                path.toString(),
                (arena, captured) -> OPEN.callInt(captured, Native.string(arena, path.toString()), flags, 0600)));
    }

    /** Reads from where the descriptor stands to its end, but no more than {@code limit} bytes. */
    public static byte[] read(Descriptor file, int limit) throws LinuxException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment buffer = memory.allocate(CHUNK);
            while (content.size() < limit) {
                long wanted = Math.min(CHUNK, limit - content.size());
                long n = Calls.check(
                        "read",
                        file,
                        (arena, captured) -> READ.call(captured, file.number(), buffer.address(), wanted));
                if (n == 0) {
                    break;
                }
                content.writeBytes(buffer.asSlice(0, n).toArray(JAVA_BYTE));
            }
        }
        return content.toByteArray();
    }

    /**
     * Hands out the lines of a text from where the descriptor stands, one at a time, while the visitor wants more.
     *
     * @param longest what a line has beyond this many bytes is left out
     * @return whether it went on to the end
     */
    static boolean lines(Descriptor file, int longest, Predicate<String> visitor) throws LinuxException {
        byte[] chunk = new byte[LINES_CHUNK];
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment buffer = memory.allocate(chunk.length);
            while (true) {
                int n = (int) Calls.check(
                        "read",
                        file,
                        (arena, captured) -> READ.call(captured, file.number(), buffer.address(), (long) chunk.length));
                if (n == 0) {
                    return line.size() == 0 || visitor.test(line.toString(StandardCharsets.UTF_8));
                }
                MemorySegment.copy(buffer, JAVA_BYTE, 0, chunk, 0, n);
                int from = 0;
                for (int i = 0; i < n; i++) {
                    if (chunk[i] == '\n') {
                        append(line, chunk, from, i, longest);
                        from = i + 1;
                        if (!visitor.test(line.toString(StandardCharsets.UTF_8))) {
                            return false;
                        }
                        line.reset();
                    }
                }
                append(line, chunk, from, n, longest);
            }
        }
    }

    private static void append(ByteArrayOutputStream line, byte[] chunk, int from, int to, int longest) {
        line.write(chunk, from, Math.min(to - from, longest - line.size()));
    }

    /** Writes all of the bytes. */
    public static void write(Descriptor file, byte[] bytes) throws LinuxException {
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment buffer = memory.allocateFrom(JAVA_BYTE, bytes);
            long written = 0;
            while (written < bytes.length) {
                MemorySegment rest = buffer.asSlice(written);
                written += Calls.check(
                        "write",
                        file,
                        (arena, captured) -> WRITE.call(captured, file.number(), rest.address(), rest.byteSize()));
            }
        }
    }
}
