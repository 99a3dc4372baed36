package s3csi.linux;

import static s3csi.linux.Native.INT;
import static s3csi.linux.Native.LONG;
import static s3csi.linux.Native.POINTER;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Plain files by descriptor, for what has to be done with descriptors rather than paths. */
public final class Files {
    private static final MethodHandle OPEN = Native.variadic("open", 2, INT, POINTER, INT, INT);
    private static final MethodHandle READ = Native.function("read", LONG, INT, POINTER, LONG);
    private static final MethodHandle WRITE = Native.function("write", LONG, INT, POINTER, LONG);
    private static final int CHUNK = 8192;

    private Files() {}

    /** Opens a path; a new file gets mode 0600. */
    public static Descriptor open(Path path, int flags) throws LinuxException {
        return open(path, flags, 0600);
    }

    public static Descriptor open(Path path, int flags, int mode) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment captured = Native.capture(arena);
            int number = (int) OPEN.invokeExact(captured, Native.string(arena, path.toString()), flags, mode);
            if (number < 0) {
                throw new LinuxException("open", path.toString(), Native.errno(captured));
            }
            return Descriptor.owning(number);
        } catch (LinuxException e) {
            throw e;
        } catch (Throwable e) {
            throw Native.impossible(e);
        }
    }

    /** Reads up to {@code limit} bytes and no more, from where the descriptor stands to its end. */
    public static byte[] readAll(Descriptor file, int limit) throws LinuxException {
        java.io.ByteArrayOutputStream content = new java.io.ByteArrayOutputStream();
        file.use();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment captured = Native.capture(arena);
            MemorySegment buffer = arena.allocate(CHUNK);
            while (content.size() < limit) {
                long wanted = Math.min(CHUNK, limit - content.size());
                long n = (long) READ.invokeExact(captured, file.number(), buffer, wanted);
                if (n < 0 && Native.errno(captured) != Errno.EINTR) {
                    throw new LinuxException("read", "of " + file, Native.errno(captured));
                }
                if (n == 0) {
                    break;
                }
                if (n > 0) {
                    content.writeBytes(buffer.asSlice(0, n).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
                }
            }
            return content.toByteArray();
        } catch (LinuxException e) {
            throw e;
        } catch (Throwable e) {
            throw Native.impossible(e);
        } finally {
            file.endUse();
        }
    }

    /** Writes all of the text as UTF-8. */
    public static void write(Descriptor file, String text) throws LinuxException {
        write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes all of the bytes. */
    public static void write(Descriptor file, byte[] bytes) throws LinuxException {
        file.use();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment captured = Native.capture(arena);
            MemorySegment buffer = arena.allocateFrom(java.lang.foreign.ValueLayout.JAVA_BYTE, bytes);
            long written = 0;
            while (written < bytes.length) {
                long n = (long)
                        WRITE.invokeExact(captured, file.number(), buffer.asSlice(written), bytes.length - written);
                if (n < 0 && Native.errno(captured) != Errno.EINTR) {
                    throw new LinuxException("write", "to " + file, Native.errno(captured));
                }
                written += Math.max(n, 0);
            }
        } catch (LinuxException e) {
            throw e;
        } catch (Throwable e) {
            throw Native.impossible(e);
        } finally {
            file.endUse();
        }
    }
}
