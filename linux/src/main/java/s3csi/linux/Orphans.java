package s3csi.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Takes note of the end of processes that nobody else waits for. A child of our own is waited for by a thread of its own, at once; so
 * whatever is still a zombie at the next look is an orphan that was handed to us.
 */
public final class Orphans {
    private int before;

    /** One look, some time after the last: at most one orphan is taken away. True if one was. */
    public boolean look() throws LinuxException {
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment info = memory.allocate(WaitId.SIGINFO, 8);
            int pid = WaitId.ended(WaitId.P_ALL, 0, WaitId.WEXITED | WaitId.WNOWAIT | WaitId.WNOHANG, info);
            boolean isOrphan = pid != 0 && pid == before;
            before = pid;
            if (isOrphan) {
                WaitId.ended(WaitId.P_PID, pid, WaitId.WEXITED | WaitId.WNOHANG, info);
            }
            return isOrphan;
        } catch (LinuxException e) {
            if (e.errno() == Errno.ECHILD) {
                before = 0;
                return false;
            }
            throw e;
        }
    }
}
