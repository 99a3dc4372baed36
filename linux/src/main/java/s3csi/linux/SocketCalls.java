package s3csi.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.charset.StandardCharsets;

/** Structures and calls that sockets share. */
final class SocketCalls {
    static final StructLayout SOCKADDR_UN = MemoryLayout.structLayout(
            JAVA_SHORT.withName("sun_family"),
            MemoryLayout.sequenceLayout(108, JAVA_BYTE).withName("sun_path"));
    static final StructLayout MSGHDR = MemoryLayout.structLayout(
            ADDRESS.withName("msg_name"),
            JAVA_INT.withName("msg_namelen"),
            MemoryLayout.paddingLayout(4),
            ADDRESS.withName("msg_iov"),
            JAVA_LONG.withName("msg_iovlen"),
            ADDRESS.withName("msg_control"),
            JAVA_LONG.withName("msg_controllen"),
            JAVA_INT.withName("msg_flags"),
            MemoryLayout.paddingLayout(4));
    static final StructLayout CMSGHDR = MemoryLayout.structLayout(
            JAVA_LONG.withName("cmsg_len"), JAVA_INT.withName("cmsg_level"), JAVA_INT.withName("cmsg_type"));
    static final StructLayout UCRED =
            MemoryLayout.structLayout(JAVA_INT.withName("pid"), JAVA_INT.withName("uid"), JAVA_INT.withName("gid"));

    static final int AF_UNIX = 1;
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int SOCK_STREAM = 1;
    static final int SOCK_CLOEXEC = 02000000;
    static final int SOL_SOCKET = 1;
    static final int SCM_RIGHTS = 1;
    static final int SO_TYPE = 3;
    static final int SO_PEERCRED = 17;
    static final int SO_BINDTODEVICE = 25;
    static final int MSG_CTRUNC = 8;
    static final int MSG_NOSIGNAL = 0x4000;
    static final int MSG_CMSG_CLOEXEC = 0x40000000;
    /** Bytes of a path in an address, with its final NUL. */
    static final int PATH_ROOM = 108;

    static final CFunction SOCKET = CFunction.named("socket");
    static final CFunction BIND = CFunction.named("bind");
    static final CFunction LISTEN = CFunction.named("listen");
    static final CFunction ACCEPT4 = CFunction.named("accept4");
    static final CFunction CONNECT = CFunction.named("connect");
    static final CFunction SENDMSG = CFunction.named("sendmsg");
    static final CFunction RECVMSG = CFunction.named("recvmsg");
    static final CFunction SHUTDOWN = CFunction.named("shutdown");
    static final CFunction GETSOCKOPT = CFunction.named("getsockopt");

    private SocketCalls() {}

    static Descriptor socket() throws LinuxException {
        return Descriptor.owning((int) Calls.check(
                "socket", "", (arena, captured) -> SOCKET.callInt(captured, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)));
    }

    static boolean fits(String path) {
        return path.getBytes(StandardCharsets.UTF_8).length < PATH_ROOM;
    }

    static long address(Arena arena, String path) throws LinuxException {
        byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
        if (bytes.length >= PATH_ROOM) {
            throw new LinuxException("socket path", path, Errno.ENAMETOOLONG);
        }
        MemorySegment address = arena.allocate(SOCKADDR_UN);
        address.set(JAVA_SHORT, 0, (short) AF_UNIX);
        MemorySegment.copy(bytes, 0, address, JAVA_BYTE, 2, bytes.length);
        return address.address();
    }
}
