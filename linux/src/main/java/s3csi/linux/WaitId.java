package s3csi.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Waiting for a child to end while it stays a zombie. */
final class WaitId {
    static final int P_ALL = 0;
    static final int P_PID = 1;
    static final int WNOHANG = 1;
    static final int WEXITED = 4;
    static final int WNOWAIT = 0x01000000;
    /** Bytes of siginfo_t. */
    static final long SIGINFO = 128;

    private static final CFunction WAITID = CFunction.named("waitid");

    /** Where siginfo_t has si_pid. */
    static final long SI_PID = 16;

    private WaitId() {}

    /** The child that ended, as far as asked for; 0 if none has and the flags say not to wait. */
    static int ended(int kind, int id, int flags, MemorySegment info) throws LinuxException {
        info.fill((byte) 0);
        Calls.check(
                "waitid",
                "for children",
                (arena, captured) -> WAITID.callInt(captured, kind, id, info.address(), flags));
        return info.get(JAVA_INT, SI_PID);
    }

    static void untilEnded(int pid) throws LinuxException {
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment info = memory.allocate(SIGINFO, 8);
            while (true) {
                try {
                    Calls.check(
                            "waitid",
                            "for " + pid,
                            (arena, captured) ->
                                    WAITID.callInt(captured, P_PID, pid, info.address(), WEXITED | WNOWAIT));
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
