package s3csi.testbed.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status.Code;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.S3Server;
import s3csi.testbed.csi.CsiChannel;
import s3csi.testbed.csi.Refusals;

/** More than the driver's memory, from whoever can reach it: it refuses or waits, and serves on as the same process. */
final class FloodTest extends NodeStage {
    private static final String BUCKET = "flood";

    @Override
    S3Server startServer() {
        return MinioServer.startInMemory();
    }

    @BeforeAll
    void makeABucket() {
        bucket(BUCKET);
    }

    @AfterEach
    void theDriverServesOn() throws IOException {
        assertThat(node.driver().process().isAlive())
                .as(() -> node.driver().process().story("goes on"))
                .isTrue();
        assertThat(node.driver().health()).isEqualTo(200);
        assertThat(greeting(node.publish(BUCKET, "after"))).isEqualTo(BUCKET);
        node.unpublish(BUCKET, "after");
        assertNothingIsLeft();
        assertThat(node.driver().log()).doesNotContain("run out of memory");
    }

    @Test
    void halfSentRequestsOnTheHealthPort() throws Exception {
        byte[] half = ("GET /healthz HTTP/1.1\r\n" + ("X-Padding: " + "x".repeat(1000) + "\r\n").repeat(180))
                .getBytes(StandardCharsets.US_ASCII);
        List<Socket> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                Socket client = new Socket(
                        InetAddress.getLoopbackAddress(), node.driver().http().getPort());
                clients.add(client);
                try {
                    client.getOutputStream().write(half);
                } catch (IOException closedByTheDriver) {
                    // It need not read on to know that this is too much.
                }
            }
            assertThat(node.driver().health()).as("while they wait").isEqualTo(200);
            assertThat(node.driver().metrics()).contains("s3csi_build_info");
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    /** Of every 10, one says nothing, and the others begin to speak HTTP/2. */
    @Test
    void connectionsWithoutCalls() throws Exception {
        List<SocketChannel> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 8_000; i++) {
                SocketChannel client = SocketChannel.open(
                        UnixDomainSocketAddress.of(node.driver().socket()));
                clients.add(client);
                if (i % 10 > 0) {
                    client.write(
                            ByteBuffer.wrap("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
                }
            }
            assertThat(greeting(node.publish(BUCKET, "meanwhile"))).isEqualTo(BUCKET);
            node.unpublish(BUCKET, "meanwhile");
        } finally {
            for (SocketChannel client : clients) {
                client.close();
            }
        }
    }

    @Test
    void manyLargeAttributes() throws Exception {
        NodePublishVolumeRequest request = node.request(BUCKET, "a")
                .putVolumeContext("note", "x".repeat(1_400_000))
                .build();
        assertAllRefused(request, "volume_context", 60);
    }

    @Test
    void manyAttributes() throws Exception {
        NodePublishVolumeRequest.Builder request = node.request(BUCKET, "a");
        IntStream.range(0, 150_000).forEach(n -> request.putVolumeContext("a" + n, ""));
        assertAllRefused(request.build(), "volume_context", 30);
    }

    @Test
    void manyLargeMountOptions() throws Exception {
        NodePublishVolumeRequest.Builder request = node.request(BUCKET, "a");
        request.getVolumeCapabilityBuilder()
                .getMountBuilder()
                .addAllMountFlags(Collections.nCopies(100_000, "allow-delete"));
        assertAllRefused(request.build(), "mount_flags", 30);
    }

    /** Each on a connection of its own, as kubelet does it. */
    private void assertAllRefused(NodePublishVolumeRequest request, String field, int times) throws Exception {
        List<Callable<String>> calls = Collections.nCopies(times, () -> {
            try (CsiChannel channel = CsiChannel.to(node.driver().socket())) {
                return Refusals.refused(
                        Code.INVALID_ARGUMENT, () -> channel.node().nodePublishVolume(request));
            }
        });
        try (ExecutorService threads = Executors.newFixedThreadPool(times)) {
            for (Future<String> refusal : threads.invokeAll(calls)) {
                assertThat(refusal.get()).contains(field);
            }
        }
    }
}
