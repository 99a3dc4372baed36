package s3csi.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** This process and others. */
public final class Processes {
    public static final int SIGHUP = 1;
    public static final int SIGINT = 2;
    public static final int SIGKILL = 9;
    public static final int SIGTERM = 15;

    /** Of a line in a thread's status. */
    private static final String OWN_SIGNALS = "SigPnd:";

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

    /**
     * Whether a thread will be ended as soon as it stops waiting in the kernel: by SIGKILL, by another signal that ends its process, or because
     * another thread ended or replaced the process. In all these cases the kernel puts SIGKILL among the thread's own signals. False if
     * {@code /proc} does not show the thread, as in a container or with {@code hidepid}.
     */
    public static boolean isBeingKilled(long thread) {
        try {
            // The name of a program may be any bytes, but no line break.
            return Files.readString(Path.of("/proc/" + thread + "/status"), StandardCharsets.ISO_8859_1)
                    .lines()
                    .filter(line -> line.startsWith(OWN_SIGNALS))
                    .anyMatch(line -> has(line.substring(OWN_SIGNALS.length()).strip(), SIGKILL));
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean has(String mask, int signal) {
        return (Long.parseUnsignedLong(mask, 16) & 1L << (signal - 1)) != 0;
    }
}
