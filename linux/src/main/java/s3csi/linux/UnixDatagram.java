package s3csi.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** A Unix datagram socket that sends to one place, as syslog has it; the JDK knows stream sockets only. */
public final class UnixDatagram implements AutoCloseable {
    private static final int SOCK_DGRAM = 2;
    private static final CFunction WRITE = CFunction.named("write");

    private final Descriptor descriptor;

    private UnixDatagram(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    /** Connects to a socket at a path. */
    public static UnixDatagram connect(Path path) throws LinuxException {
        Descriptor descriptor = Descriptor.owning((int) Calls.check(
                "socket",
                "",
                (arena, captured) -> SocketCalls.SOCKET.callInt(
                        captured, SocketCalls.AF_UNIX, SOCK_DGRAM | SocketCalls.SOCK_CLOEXEC, 0)));
        try (SocketPath name = SocketPath.of(path)) {
            Calls.check(
                    "connect",
                    path.toString(),
                    (arena, captured) -> SocketCalls.CONNECT.callInt(
                            captured,
                            descriptor.number(),
                            SocketCalls.address(arena, name.text()),
                            SocketCalls.SOCKADDR_UN.byteSize()));
            descriptor.setNonBlocking(true);
            return new UnixDatagram(descriptor);
        } catch (LinuxException | RuntimeException e) {
            descriptor.close();
            throw e;
        }
    }

    /** Sends one message. Never waits: EAGAIN when the other side does not keep up, ECONNREFUSED when it is gone. */
    public void send(byte[] message) throws LinuxException {
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment data = memory.allocateFrom(JAVA_BYTE, message);
            Calls.check(
                    "write",
                    descriptor,
                    (arena, captured) -> WRITE.call(captured, descriptor.number(), data.address(), data.byteSize()));
        }
    }

    @Override
    public void close() {
        descriptor.close();
    }
}
