package s3csi.linux;

import static s3csi.linux.Native.INT;
import static s3csi.linux.Native.POINTER;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Waiting for a child to end while it stays a zombie. */
final class WaitId {
    static final int P_PID = 1;
    static final int WEXITED = 4;
    static final int WNOWAIT = 0x01000000;
    /** Bytes of siginfo_t. */
    static final long SIGINFO = 128;

    private static final MethodHandle WAITID = Native.function("waitid", INT, INT, INT, POINTER, INT);

    private WaitId() {}

    static void untilEnded(int pid) throws LinuxException {
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment info = memory.allocate(SIGINFO, 8);
            while (true) {
                try {
                    Calls.check("waitid", "for " + pid, (arena, captured) ->
                            (int) WAITID.invokeExact(captured, P_PID, pid, info, WEXITED | WNOWAIT));
                    return;
                } catch (LinuxException e) {
                    if (e.errno() != Errno.EINTR) {
                        throw e;
                    }
                }
            }
        }
    }
}
