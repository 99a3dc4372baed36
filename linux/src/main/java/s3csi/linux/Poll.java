package s3csi.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.time.Duration;

/** Waiting for one descriptor, with a deadline. */
final class Poll {
    static final StructLayout POLLFD = MemoryLayout.structLayout(
            JAVA_INT.withName("fd"), JAVA_SHORT.withName("events"), JAVA_SHORT.withName("revents"));
    static final short POLLIN = 1;
    static final short POLLPRI = 2;
    static final short POLLOUT = 4;

    private static final CFunction POLL = CFunction.named("poll");

    private Poll() {}

    /** Waits until one of the events or an error is there, and returns what is; 0 when the time is over. */
    static short once(Descriptor descriptor, short events, Duration timeout) throws LinuxException {
        long deadline = System.nanoTime() + timeout.toNanos();
        descriptor.use();
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment one = memory.allocate(POLLFD);
            one.set(JAVA_INT, 0, descriptor.number());
            one.set(JAVA_SHORT, 4, events);
            while (true) {
                // Rounded up, so that a rest of less than a millisecond does not become a busy loop.
                long left = Math.max(0, (deadline - System.nanoTime() + 999_999) / 1_000_000);
                int wait = (int) Math.min(left, Integer.MAX_VALUE);
                try {
                    Calls.check(
                            "poll",
                            "on " + descriptor,
                            (arena, captured) -> POLL.callInt(captured, one.address(), 1L, wait));
                    return one.get(JAVA_SHORT, 6);
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
