package s3csi.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/** What this process, or one that it starts, may do and others may do to it. */
public final class Privileges {
    static final int PR_GET_DUMPABLE = 3;
    static final int PR_SET_DUMPABLE = 4;
    static final int PR_CAPBSET_READ = 23;
    static final int PR_CAPBSET_DROP = 24;
    static final int PR_SET_NO_NEW_PRIVS = 38;
    static final int CAPABILITY_VERSION = 0x20080522;

    static final StructLayout CAPABILITY_HEADER =
            MemoryLayout.structLayout(JAVA_INT.withName("version"), JAVA_INT.withName("pid"));
    static final StructLayout CAPABILITY_DATA = MemoryLayout.structLayout(
            JAVA_INT.withName("effective"), JAVA_INT.withName("permitted"), JAVA_INT.withName("inheritable"));

    /** Version 3 has 64 capabilities, in two structures of 32. */
    private static final int STRUCTURES = 2;

    private static final CFunction PRCTL = CFunction.named("prctl");
    private static final CFunction CAPSET = CFunction.named("capset");

    private Privileges() {}

    /**
     * The kernel writes no core file of this process, whatever the limits and the pattern say, and other processes of its user cannot look into
     * its memory: keys are in it. Lasts until the process runs another program.
     */
    public static void keepMemoryPrivate() throws LinuxException {
        prctl("PR_SET_DUMPABLE", PR_SET_DUMPABLE, 0);
    }

    /** Whether {@link #keepMemoryPrivate} is in force. */
    static boolean isMemoryPrivate() throws LinuxException {
        return prctl("PR_GET_DUMPABLE", PR_GET_DUMPABLE, 0) == 0;
    }

    /**
     * Takes all capabilities from the calling thread for good, and from what it starts: not even a program of root gets them back. Other threads keep
     * theirs, as capabilities belong to threads.
     */
    static void dropCapabilitiesOfThisThread() throws LinuxException {
        prctl("PR_SET_NO_NEW_PRIVS", PR_SET_NO_NEW_PRIVS, 1);
        dropBoundingSet();
        Calls.check("capset", "to nothing", (arena, captured) -> {
            MemorySegment header = arena.allocate(CAPABILITY_HEADER);
            header.set(JAVA_INT, 0, CAPABILITY_VERSION);
            MemorySegment nothing = arena.allocate(CAPABILITY_DATA, STRUCTURES);
            return CAPSET.callInt(captured, header.address(), nothing.address());
        });
    }

    /** Who may not do this has no need to: without new privileges a program gets no more than its parent has, which is nothing. */
    private static void dropBoundingSet() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment captured = Native.capture(arena);
            // The first number that the kernel does not know ends the list.
            for (int each = 0; PRCTL.callInt(captured, PR_CAPBSET_READ, each) >= 0; each++) {
                PRCTL.callInt(captured, PR_CAPBSET_DROP, each);
            }
        }
    }

    private static long prctl(String name, int option, long value) throws LinuxException {
        return Calls.check("prctl", name, (arena, captured) -> PRCTL.callInt(captured, option, value));
    }
}
