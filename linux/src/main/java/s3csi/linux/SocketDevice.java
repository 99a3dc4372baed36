package s3csi.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Ties sockets of the JDK to a network interface.
 *
 * <p>Binding to an address of the interface would not do: Linux chooses the way of a packet by where it goes, not by where it comes from.
 * The option that does, SO_BINDTODEVICE, the JDK does not offer, nor a public way to the descriptor of a channel. So the socket gets a
 * local port first, and is then recognised by it among the descriptors of this process.
 */
public final class SocketDevice {
    static final StructLayout SOCKADDR_IN6 = MemoryLayout.structLayout(
            JAVA_SHORT.withName("sin6_family"),
            JAVA_SHORT.withName("sin6_port"),
            JAVA_INT.withName("sin6_flowinfo"),
            MemoryLayout.sequenceLayout(16, JAVA_BYTE).withName("sin6_addr"),
            JAVA_INT.withName("sin6_scope_id"));

    /** In both families of addresses at the same place. */
    static final long PORT = SOCKADDR_IN6.byteOffset(MemoryLayout.PathElement.groupElement("sin6_port"));

    private static final CFunction SETSOCKOPT = CFunction.named("setsockopt");
    private static final CFunction GETSOCKNAME = CFunction.named("getsockname");
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private SocketDevice() {}

    /**
     * Ties a channel to an interface: what it sends leaves there, and nothing else reaches it. Needs no privilege since Linux 5.7.
     *
     * @param channel neither bound nor connected; nobody else may close it meanwhile
     */
    public static void bind(SocketChannel channel, String networkInterface) throws IOException {
        channel.bind(null);
        if (!(channel.getLocalAddress() instanceof InetSocketAddress local)) {
            throw new IllegalArgumentException("only a socket of the Internet can be tied to an interface");
        }
        int descriptor = boundTo(local.getPort());
        byte[] name = networkInterface.getBytes(StandardCharsets.UTF_8);
        Calls.check(
                "setsockopt SO_BINDTODEVICE",
                networkInterface,
                (arena, captured) -> SETSOCKOPT.callInt(
                        captured,
                        descriptor,
                        SocketCalls.SOL_SOCKET,
                        SocketCalls.SO_BINDTODEVICE,
                        arena.allocateFrom(JAVA_BYTE, name).address(),
                        name.length));
    }

    /** The number of our socket with that local port. */
    static int boundTo(int port) throws IOException {
        try (Arena memory = Arena.ofConfined();
                DirectoryStream<Path> all = Files.newDirectoryStream(DESCRIPTORS)) {
            MemorySegment captured = Native.capture(memory);
            MemorySegment out = memory.allocate(SOCKADDR_IN6);
            MemorySegment size = memory.allocate(JAVA_INT);
            for (Path each : all) {
                int number = Integer.parseInt(String.valueOf(each.getFileName()));
                if (isStream(number, captured, out, size) && port(number, captured, out, size) == port) {
                    return number;
                }
            }
        }
        throw new IOException("a socket with port " + port + " is not among the descriptors in " + DESCRIPTORS);
    }

    /** Sockets that look up names have ports, too, of another kind. */
    private static boolean isStream(int number, MemorySegment captured, MemorySegment out, MemorySegment size) {
        size.set(JAVA_INT, 0, Integer.BYTES);
        int result = SocketCalls.GETSOCKOPT.callInt(
                captured, number, SocketCalls.SOL_SOCKET, SocketCalls.SO_TYPE, out.address(), size.address());
        return result == 0 && out.get(JAVA_INT, 0) == SocketCalls.SOCK_STREAM;
    }

    private static int port(int number, MemorySegment captured, MemorySegment out, MemorySegment size) {
        size.set(JAVA_INT, 0, (int) out.byteSize());
        if (GETSOCKNAME.callInt(captured, number, out.address(), size.address()) != 0) {
            return -1;
        }
        int family = out.get(JAVA_SHORT, 0);
        boolean isInternet = family == SocketCalls.AF_INET || family == SocketCalls.AF_INET6;
        return isInternet ? Short.toUnsignedInt(out.get(JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN), PORT)) : -1;
    }
}
