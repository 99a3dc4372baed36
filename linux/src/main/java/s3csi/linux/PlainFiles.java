package s3csi.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static s3csi.linux.Native.INT;
import static s3csi.linux.Native.LONG;
import static s3csi.linux.Native.POINTER;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/** Plain files by descriptor, for what has to be done with descriptors rather than paths. */
public final class PlainFiles {
    private static final MethodHandle OPEN = Native.variadic("open", 2, INT, POINTER, INT, INT);
    private static final MethodHandle READ = Native.function("read", LONG, INT, POINTER, LONG);
    private static final MethodHandle WRITE = Native.function("write", LONG, INT, POINTER, LONG);
    private static final int CHUNK = 1 << 16;

    private PlainFiles() {}

    /** Opens a path; a new file gets mode 0600. */
    public static Descriptor open(Path path, int flags) throws LinuxException {
        return Descriptor.owning((int) Calls.check("open", path.toString(), (arena, captured) ->
                (int) OPEN.invokeExact(captured, Native.string(arena, path.toString()), flags, 0600)));
    }

    /** Reads from where the descriptor stands to its end, but no more than {@code limit} bytes. */
    public static byte[] read(Descriptor file, int limit) throws LinuxException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment buffer = memory.allocate(CHUNK);
            while (content.size() < limit) {
                long wanted = Math.min(CHUNK, limit - content.size());
                long n = Calls.check("read", file, (arena, captured) ->
                        (long) READ.invokeExact(captured, file.number(), buffer, wanted));
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
                written += Calls.check("write", file, (arena, captured) ->
                        (long) WRITE.invokeExact(captured, file.number(), rest, rest.byteSize()));
            }
        }
    }
}
