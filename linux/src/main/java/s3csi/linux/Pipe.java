package s3csi.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static s3csi.linux.Native.INT;
import static s3csi.linux.Native.LONG;
import static s3csi.linux.Native.POINTER;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** A pipe whose ends can be given to a child process; both are closed on exec unless {@link Spawn} passes them. */
public record Pipe(Descriptor reader, Descriptor writer) implements AutoCloseable {
    private static final MethodHandle PIPE2 = Native.function("pipe2", INT, POINTER, INT);
    private static final MethodHandle READ = Native.function("read", LONG, INT, POINTER, LONG);
    private static final MethodHandle WRITE = Native.function("write", LONG, INT, POINTER, LONG);
    private static final int CHUNK = 4096;

    public static Pipe open() throws LinuxException {
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment ends = memory.allocate(JAVA_INT, 2);
            Calls.check("pipe2", "", (arena, captured) -> (int) PIPE2.invokeExact(captured, ends, FileFlags.O_CLOEXEC));
            return new Pipe(
                    Descriptor.owning(ends.getAtIndex(JAVA_INT, 0)), Descriptor.owning(ends.getAtIndex(JAVA_INT, 1)));
        }
    }

    /** Reads until the last writer has closed its end, and waits for that. Not for virtual threads. */
    public byte[] readAll() throws LinuxException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment buffer = memory.allocate(CHUNK);
            long n;
            do {
                n = Calls.check("read", reader, (arena, captured) ->
                        (long) READ.invokeExact(captured, reader.number(), buffer, buffer.byteSize()));
                content.writeBytes(buffer.asSlice(0, n).toArray(JAVA_BYTE));
            } while (n > 0);
        }
        return content.toByteArray();
    }

    /** Writes all of the bytes to the writing end of a pipe, which may be inherited. */
    public static void write(Descriptor writer, byte[] bytes) throws LinuxException {
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment rest = memory.allocateFrom(JAVA_BYTE, bytes);
            while (rest.byteSize() > 0) {
                MemorySegment left = rest;
                rest = rest.asSlice(Calls.check("write", writer, (arena, captured) ->
                        (long) WRITE.invokeExact(captured, writer.number(), left, left.byteSize())));
            }
        }
    }

    @Override
    public void close() {
        reader.close();
        writer.close();
    }
}
