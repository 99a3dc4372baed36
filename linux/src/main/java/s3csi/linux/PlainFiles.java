package s3csi.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** Plain files by descriptor, for what has to be done with descriptors rather than paths. */
public final class PlainFiles {
    private static final CFunction OPEN = CFunction.named("open");
    private static final CFunction READ = CFunction.named("read");
    private static final CFunction WRITE = CFunction.named("write");
    private static final int CHUNK = 1 << 16;

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
