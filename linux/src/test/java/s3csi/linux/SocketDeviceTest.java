package s3csi.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SocketDeviceTest {
    @Test
    void aTiedSocketConnectsThroughItsInterface() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                SocketChannel channel = SocketChannel.open()) {
            SocketDevice.bind(channel, "lo");
            channel.connect(server.getLocalSocketAddress());
            assertThat(channel.isConnected()).isTrue();
        }
    }

    @Test
    void exactlyTheGivenSocketIsTied() throws Exception {
        List<SocketChannel> others = new ArrayList<>();
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                SocketChannel channel = SocketChannel.open()) {
            for (int i = 0; i < 20; i++) {
                SocketChannel other = SocketChannel.open();
                others.add(other);
                // One that the kernel binds when it connects may share its port with others; these do not.
                other.bind(null);
                other.connect(server.getLocalSocketAddress());
            }
            SocketDevice.bind(channel, "lo");
            assertThat(deviceOf(channel)).isEqualTo("lo");
            for (SocketChannel other : others) {
                assertThat(deviceOf(other)).isEmpty();
            }
        } finally {
            for (SocketChannel other : others) {
                other.close();
            }
        }
    }

    private static String deviceOf(SocketChannel channel) throws Exception {
        int descriptor = SocketDevice.boundTo(((InetSocketAddress) channel.getLocalAddress()).getPort());
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment name = memory.allocate(16);
            MemorySegment size = memory.allocateFrom(ValueLayout.JAVA_INT, 16);
            Calls.check(
                    "getsockopt",
                    "",
                    (arena, captured) -> SocketCalls.GETSOCKOPT.callInt(
                            captured,
                            descriptor,
                            SocketCalls.SOL_SOCKET,
                            SocketCalls.SO_BINDTODEVICE,
                            name.address(),
                            size.address()));
            return name.getString(0);
        }
    }

    @Test
    void anInterfaceThatIsNotThereIsNamed() throws Exception {
        try (SocketChannel channel = SocketChannel.open()) {
            assertThatExceptionOfType(LinuxException.class)
                    .isThrownBy(() -> SocketDevice.bind(channel, "s3csi-none"))
                    .withMessageContaining("s3csi-none")
                    .satisfies(e -> assertThat(e.errno()).isEqualTo(Errno.ENODEV));
        }
    }
}
