package s3csi.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Calls for which not every C library has a function, by number. */
final class SystemCalls {
    private static final CFunction SYSCALL = CFunction.named("syscall");
    private static final boolean ARM = "aarch64".equals(System.getProperty("os.arch"));

    static final long GETTID = ARM ? 178 : 186;
    static final long TGKILL = ARM ? 131 : 234;
    static final long GETDENTS64 = ARM ? 61 : 217;
    static final long OPEN_TREE = 428;
    static final long MOVE_MOUNT = 429;
    static final long OPENAT2 = 437;
    static final long MOUNT_SETATTR = 442;

    private SystemCalls() {}

    /** The result, or the negative error number. */
    static long call(long number, long first, long second, long third, long fourth) {
        return call(number, first, second, third, fourth, 0);
    }

    static long call(long number, long first, long second, long third, long fourth, long fifth) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment captured = Native.capture(arena);
            long result = SYSCALL.call(captured, number, first, second, third, fourth, fifth);
            return result < 0 ? -Native.errno(captured) : result;
        }
    }
}
