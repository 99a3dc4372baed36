package s3csi.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One end of a Unix stream connection that carries bytes and descriptors. Every read has a deadline. Not for virtual threads: waiting
 * pins the carrier.
 */
public final class UnixStream implements AutoCloseable {
    private static final int MOST_DESCRIPTORS = 16;
    private static final int CHUNK = 8192;
    private static final int SHUT_WR = 1;
    private static final long HEADER = SocketCalls.CMSGHDR.byteSize();

    private final Descriptor descriptor;

    UnixStream(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    /** Connects to a socket at a path, which is resolved like any other. */
    public static UnixStream connect(Path path) throws LinuxException {
        try (SocketPath name = SocketPath.of(path)) {
            return connect(name.text(), path.toString());
        }
    }

    /**
     * Connects to exactly the socket that was opened with O_PATH, see {@link Directory#open}: for a socket in a directory where somebody
     * else may put a symbolic link in its place.
     */
    public static UnixStream connect(Descriptor socket) throws LinuxException {
        socket.use();
        try {
            return connect("/proc/self/fd/" + socket.number(), socket.toString());
        } finally {
            socket.endUse();
        }
    }

    private static UnixStream connect(String address, String subject) throws LinuxException {
        Descriptor descriptor = SocketCalls.socket();
        try {
            Calls.check(
                    "connect",
                    subject,
                    (arena, captured) -> SocketCalls.CONNECT.callInt(
                            captured,
                            descriptor.number(),
                            SocketCalls.address(arena, address),
                            SocketCalls.SOCKADDR_UN.byteSize()));
            return new UnixStream(descriptor);
        } catch (LinuxException | RuntimeException e) {
            descriptor.close();
            throw e;
        }
    }

    /** Who connected, or who listens: fixed when the connection was made, whoever holds the socket now. */
    public PeerCredentials peer() throws LinuxException {
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment out = memory.allocate(SocketCalls.UCRED);
            MemorySegment size = memory.allocateFrom(JAVA_INT, (int) SocketCalls.UCRED.byteSize());
            Calls.check(
                    "getsockopt",
                    descriptor,
                    (arena, captured) -> SocketCalls.GETSOCKOPT.callInt(
                            captured,
                            descriptor.number(),
                            SocketCalls.SOL_SOCKET,
                            SocketCalls.SO_PEERCRED,
                            out.address(),
                            size.address()));
            return new PeerCredentials(out.get(JAVA_INT, 0), out.get(JAVA_INT, 4), out.get(JAVA_INT, 8));
        }
    }

    /** Sends all of the bytes, at least one, and with the first of them the descriptors, which stay the sender's too. */
    public void send(byte[] bytes, List<Descriptor> descriptors) throws LinuxException {
        if (bytes.length == 0 || descriptors.size() > MOST_DESCRIPTORS) {
            throw new IllegalArgumentException("a message has at least one byte and at most " + MOST_DESCRIPTORS
                    + " descriptors; got " + bytes.length + " and " + descriptors.size());
        }
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment data = memory.allocateFrom(JAVA_BYTE, bytes);
            long sent = sendOnce(memory, data, descriptors);
            while (sent < bytes.length) {
                sent += sendOnce(memory, data.asSlice(sent), List.of());
            }
        }
    }

    private long sendOnce(Arena memory, MemorySegment data, List<Descriptor> descriptors) throws LinuxException {
        MemorySegment message = message(memory, data);
        List<Descriptor> used = new ArrayList<>();
        try {
            if (!descriptors.isEmpty()) {
                MemorySegment control = control(memory, descriptors.size());
                control.set(JAVA_LONG, 0, HEADER + 4L * descriptors.size());
                control.set(JAVA_INT, 8, SocketCalls.SOL_SOCKET);
                control.set(JAVA_INT, 12, SocketCalls.SCM_RIGHTS);
                for (Descriptor each : descriptors) {
                    each.use();
                    used.add(each);
                    control.set(JAVA_INT, HEADER + 4L * (used.size() - 1), each.number());
                }
                setControl(message, control);
            }
            return Calls.check(
                    "sendmsg",
                    descriptor,
                    (arena, captured) -> SocketCalls.SENDMSG.call(
                            captured, descriptor.number(), message.address(), SocketCalls.MSG_NOSIGNAL));
        } finally {
            used.forEach(Descriptor::endUse);
        }
    }

    /** Says that nothing more will be sent: the other side reads to an end. */
    public void endOutput() throws LinuxException {
        Calls.check(
                "shutdown",
                descriptor,
                (arena, captured) -> SocketCalls.SHUTDOWN.callInt(captured, descriptor.number(), SHUT_WR));
    }

    /**
     * Receives until the other side ends its output.
     *
     * <p>If that takes too long, or more comes than allowed, nothing is kept: every descriptor that came is closed.
     */
    public ReceivedMessage receiveAll(int mostBytes, int mostDescriptors, Duration timeout) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        List<Descriptor> descriptors = new ArrayList<>();
        boolean complete = false;
        try {
            while (true) {
                ReceivedMessage part = receive(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
                descriptors.addAll(part.descriptors());
                bytes.writeBytes(part.bytes());
                if (bytes.size() > mostBytes || descriptors.size() > mostDescriptors) {
                    throw new IOException("a message on a socket is too large: more than " + mostBytes + " bytes or "
                            + mostDescriptors + " descriptors came");
                }
                if (part.bytes().length == 0) {
                    complete = true;
                    return new ReceivedMessage(bytes.toByteArray(), descriptors);
                }
            }
        } finally {
            if (!complete) {
                descriptors.forEach(Descriptor::close);
            }
        }
    }

    /** Receives what is there next, at most 8 KiB and 16 descriptors; no bytes mean that the other side ended its output. */
    public ReceivedMessage receive(Duration timeout) throws IOException {
        if (Poll.once(descriptor, Poll.POLLIN, timeout) == 0) {
            throw new LinuxException("receive", "within " + timeout + " on " + descriptor, Errno.ETIMEDOUT);
        }
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment data = memory.allocate(CHUNK);
            MemorySegment message = message(memory, data);
            MemorySegment control = control(memory, MOST_DESCRIPTORS);
            setControl(message, control);
            long n = Calls.check(
                    "recvmsg",
                    descriptor,
                    (arena, captured) -> SocketCalls.RECVMSG.call(
                            captured, descriptor.number(), message.address(), SocketCalls.MSG_CMSG_CLOEXEC));
            List<Descriptor> descriptors = descriptorsIn(control.asSlice(0, controlLength(message)));
            if ((message.get(JAVA_INT, offset("msg_flags")) & SocketCalls.MSG_CTRUNC) != 0) {
                descriptors.forEach(Descriptor::close);
                throw new IOException(
                        "more than " + MOST_DESCRIPTORS + " descriptors came in one message; all were closed");
            }
            return new ReceivedMessage(data.asSlice(0, n).toArray(JAVA_BYTE), descriptors);
        }
    }

    private static MemorySegment message(Arena memory, MemorySegment data) {
        MemorySegment vector = memory.allocate(IoVector.IOVEC);
        vector.set(JAVA_LONG, 0, data.address());
        vector.set(JAVA_LONG, 8, data.byteSize());
        MemorySegment message = memory.allocate(SocketCalls.MSGHDR);
        message.set(JAVA_LONG, offset("msg_iov"), vector.address());
        message.set(JAVA_LONG, offset("msg_iovlen"), 1);
        return message;
    }

    private static MemorySegment control(Arena memory, int descriptors) {
        return memory.allocate(HEADER + (4L * descriptors + 7) / 8 * 8, 8);
    }

    private static void setControl(MemorySegment message, MemorySegment control) {
        message.set(JAVA_LONG, offset("msg_control"), control.address());
        message.set(JAVA_LONG, offset("msg_controllen"), control.byteSize());
    }

    private static long controlLength(MemorySegment message) {
        return message.get(JAVA_LONG, offset("msg_controllen"));
    }

    private static List<Descriptor> descriptorsIn(MemorySegment control) {
        List<Descriptor> found = new ArrayList<>();
        long at = 0;
        while (at + HEADER <= control.byteSize()) {
            long length = control.get(JAVA_LONG, at);
            if (length < HEADER) {
                break;
            }
            boolean rights = control.get(JAVA_INT, at + 8) == SocketCalls.SOL_SOCKET
                    && control.get(JAVA_INT, at + 12) == SocketCalls.SCM_RIGHTS;
            for (long i = at + HEADER; rights && i + 4 <= at + length; i += 4) {
                found.add(Descriptor.owning(control.get(JAVA_INT, i)));
            }
            at += (length + 7) / 8 * 8;
        }
        return found;
    }

    private static long offset(String field) {
        return SocketCalls.MSGHDR.byteOffset(PathElement.groupElement(field));
    }

    @Override
    public void close() {
        descriptor.close();
    }
}
