package s3csi.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Two sockets that are connected with each other, both closed on exec unless {@link Spawn} passes them.
 *
 * @param ours for this process
 * @param theirs for a child process
 */
public record SocketPair(UnixStream ours, Descriptor theirs) {
    private static final CFunction SOCKETPAIR = CFunction.named("socketpair");

    public static SocketPair open() throws LinuxException {
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment ends = memory.allocate(JAVA_INT, 2);
            Calls.check(
                    "socketpair",
                    "",
                    (arena, captured) -> SOCKETPAIR.callInt(
                            captured,
                            SocketCalls.AF_UNIX,
                            SocketCalls.SOCK_STREAM | SocketCalls.SOCK_CLOEXEC,
                            0,
                            ends.address()));
            return new SocketPair(
                    new UnixStream(Descriptor.owning(ends.getAtIndex(JAVA_INT, 0))),
                    Descriptor.owning(ends.getAtIndex(JAVA_INT, 1)));
        }
    }
}
