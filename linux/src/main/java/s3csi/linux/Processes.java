package s3csi.linux;

import java.lang.foreign.Arena;

/** This process and others. */
public final class Processes {
    public static final int SIGHUP = 1;
    public static final int SIGINT = 2;
    public static final int SIGKILL = 9;
    public static final int SIGTERM = 15;

    private static final CFunction GETUID = CFunction.named("getuid");
    private static final CFunction GETEUID = CFunction.named("geteuid");
    private static final CFunction GETGID = CFunction.named("getgid");
    private static final CFunction GETEGID = CFunction.named("getegid");
    private static final CFunction KILL = CFunction.named("kill");

    private Processes() {}

    public static int userId() {
        return id(GETUID);
    }

    public static int effectiveUserId() {
        return id(GETEUID);
    }

    public static int groupId() {
        return id(GETGID);
    }

    public static int effectiveGroupId() {
        return id(GETEGID);
    }

    private static int id(CFunction call) {
        try (Arena arena = Arena.ofConfined()) {
            return call.callInt(Native.capture(arena));
        }
    }

    /** Sends a signal to one process; 0 as signal only asks whether it is there (else ESRCH). */
    public static void kill(long pid, int signal) throws LinuxException {
        if (pid <= 0) {
            throw new IllegalArgumentException(pid + " is not one process; groups are not signalled here");
        }
        Calls.check(
                "kill",
                "of process " + pid + " with signal " + signal,
                (arena, captured) -> KILL.callInt(captured, pid, signal));
    }
}
