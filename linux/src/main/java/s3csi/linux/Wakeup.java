package s3csi.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/**
 * Takes a platform thread out of a blocking call, which then fails with EINTR.
 *
 * <p>A signal does it, with a handler that does nothing and without SA_RESTART. The handler is the C library's {@code abs}: it takes an int,
 * touches nothing and is safe at any point, while Java code is not allowed in a signal handler. The signal is a real-time one that
 * neither the JVM (SIGUSR2, SIGQUIT, SIGRTMAX-2) nor the C library (32 to 34) uses.
 *
 * <p>A signal that arrives just before the thread enters the call is lost: whoever wakes a thread repeats it until the thread is
 * out.
 */
public final class Wakeup {
    static final StructLayout SIGACTION = MemoryLayout.structLayout(
            ValueLayout.ADDRESS.withName("sa_handler"),
            MemoryLayout.sequenceLayout(16, ValueLayout.JAVA_LONG).withName("sa_mask"),
            ValueLayout.JAVA_INT.withName("sa_flags"),
            MemoryLayout.paddingLayout(4),
            ValueLayout.ADDRESS.withName("sa_restorer"));
    static final int SIGNAL = 44;

    private static final CFunction SIGACTION_CALL = CFunction.named("sigaction");

    static {
        install();
    }

    private Wakeup() {}

    private static void install() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment action = arena.allocate(SIGACTION);
            action.set(ValueLayout.JAVA_LONG, 0, Native.address("abs").address());
            MemorySegment captured = Native.capture(arena);
            int result = SIGACTION_CALL.callInt(captured, SIGNAL, action.address(), 0);
            if (result != 0) {
                throw new IllegalStateException(
                        "cannot install the handler of signal " + SIGNAL + ": " + Errno.name(Native.errno(captured)));
            }
        }
    }

    /** The kernel's number of the calling thread, which must be a platform thread. */
    public static long currentThread() {
        return SystemCalls.call(SystemCalls.GETTID, 0, 0, 0, 0);
    }

    /** Interrupts what the thread waits in. Nothing happens if the thread is gone. */
    public static void wake(long thread) {
        SystemCalls.call(SystemCalls.TGKILL, ProcessHandle.current().pid(), thread, SIGNAL, 0);
    }
}
