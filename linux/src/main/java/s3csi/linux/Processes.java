package s3csi.linux;

import static s3csi.linux.Native.INT;

import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;

/** This process and others. */
public final class Processes {
    public static final int SIGHUP = 1;
    public static final int SIGINT = 2;
    public static final int SIGKILL = 9;
    public static final int SIGTERM = 15;

    private static final MethodHandle GETUID = Native.function("getuid", INT);
    private static final MethodHandle GETEUID = Native.function("geteuid", INT);
    private static final MethodHandle GETGID = Native.function("getgid", INT);
    private static final MethodHandle GETEGID = Native.function("getegid", INT);
    private static final MethodHandle KILL = Native.function("kill", INT, INT, INT);

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

    private static int id(MethodHandle call) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) call.invokeExact(Native.capture(arena));
        } catch (Throwable e) {
            throw Native.impossible(e);
        }
    }

    /** Sends a signal to one process; 0 as signal only asks whether it is there (else ESRCH). */
    public static void kill(long pid, int signal) throws LinuxException {
        if (pid <= 0) {
            throw new IllegalArgumentException(pid + " is not one process; groups are not signalled here");
        }
        Calls.check("kill", "of process " + pid + " with signal " + signal, (arena, captured) ->
                (int) KILL.invokeExact(captured, (int) pid, signal));
    }
}
