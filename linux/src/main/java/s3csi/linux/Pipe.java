package s3csi.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A pipe whose ends can be given to a child process; both are closed on exec unless {@link Spawn} passes them. */
public record Pipe(Descriptor reader, Descriptor writer) implements AutoCloseable {
    private static final CFunction PIPE2 = CFunction.named("pipe2");
    private static final CFunction READ = CFunction.named("read");
    private static final CFunction WRITE = CFunction.named("write");
    private static final int CHUNK = 4096;

    public static Pipe open() throws LinuxException {
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment ends = memory.allocate(JAVA_INT, 2);
            Calls.check("pipe2", "", (arena, captured) -> PIPE2.callInt(captured, ends.address(), FileFlags.O_CLOEXEC));
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
                n = Calls.check(
                        "read",
                        reader,
                        (arena, captured) -> READ.call(captured, reader.number(), buffer.address(), buffer.byteSize()));
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
                rest = rest.asSlice(Calls.check(
                        "write",
                        writer,
                        (arena, captured) -> WRITE.call(captured, writer.number(), left.address(), left.byteSize())));
            }
        }
    }

    @Override
    public void close() {
        reader.close();
        writer.close();
    }
}
