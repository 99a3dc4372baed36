package s3csi.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The frame around a call that may allocate: an arena, a place for errno, and an exception for a negative result. */
final class Calls {
    /** The call itself. */
    @FunctionalInterface
    interface Body {
        long run(Arena arena, MemorySegment captured) throws LinuxException;
    }

    private Calls() {}

    /** Runs it; a negative result becomes an exception that names the call and what it was about. */
    static long check(String call, String subject, Body body) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment captured = Native.capture(arena);
            long result = body.run(arena, captured);
            if (result < 0) {
                throw new LinuxException(call, subject, Native.errno(captured));
            }
            return result;
        }
    }

    /** The same for a call on a descriptor, which stays open as long as the call runs; EINTR starts it again. */
    static long check(String call, Descriptor descriptor, Body body) throws LinuxException {
        descriptor.use();
        try {
            while (true) {
                try {
                    return check(call, "on " + descriptor, body);
                } catch (LinuxException e) {
                    if (e.errno() != Errno.EINTR) {
                        throw e;
                    }
                }
            }
        } finally {
            descriptor.endUse();
        }
    }
}
