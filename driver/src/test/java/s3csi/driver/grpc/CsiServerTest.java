package s3csi.driver.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.CallOptions;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import s3csi.csi.v1.DeleteVolumeRequest;
import s3csi.csi.v1.GetPluginInfoRequest;
import s3csi.csi.v1.GetPluginInfoResponse;
import s3csi.csi.v1.IdentityGrpc;
import s3csi.csi.v1.ProbeRequest;
import s3csi.csi.v1.ProbeResponse;
import s3csi.driver.identity.IdentityService;

class CsiServerTest {
    @TempDir
    Path directory;

    private Path socket() {
        return directory.resolve("csi.sock");
    }

    private static CallLog log() {
        return new CallLog(new CallMetrics(new PrometheusRegistry()));
    }

    private CsiServer server(IdentityService identity) {
        return new CsiServer(new EndpointAddress.Unix(socket()), List.of(identity), log());
    }

    private CsiServer start() throws IOException {
        CsiServer server = server(new IdentityService("3.0.0", () -> true));
        server.start();
        return server;
    }

    private static boolean answers(Path socket) {
        try (Connection connection = Connection.to(socket)) {
            return IdentityGrpc.newBlockingStub(connection.channel())
                    .getPluginInfo(GetPluginInfoRequest.getDefaultInstance())
                    .getName()
                    .equals("s3.csi.scality.com");
        } catch (StatusRuntimeException e) {
            return false;
        }
    }

    private static void await(BooleanSupplier condition) {
        Instant deadline = Instant.now().plusSeconds(20);
        while (!condition.getAsBoolean()) {
            assertThat(Instant.now()).as("in time").isBefore(deadline);
            LockSupport.parkNanos(5_000_000);
        }
    }

    @Test
    void theSocketIsClosedToOthers() throws IOException {
        try (CsiServer server = start()) {
            assertThat(server.isListening()).isTrue();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket())))
                    .isEqualTo("rwx------");
            assertThat(answers(socket())).isTrue();
            assertThat(directory).isDirectoryNotContaining(file -> !file.equals(socket()));
        }
        assertThat(socket()).doesNotExist();
    }

    @Test
    void aStaleSocketIsReplaced() throws IOException {
        try (ServerSocketChannel stale = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            stale.bind(UnixDomainSocketAddress.of(socket()));
        }
        assertThat(socket()).exists();
        try (CsiServer server = start()) {
            assertThat(server.isListening()).isTrue();
            assertThat(answers(socket())).isTrue();
        }
    }

    @Test
    void aFileThatIsNoSocketIsNotTouched() throws IOException {
        Files.writeString(socket(), "precious");
        assertThatThrownBy(this::start).isInstanceOf(IOException.class).hasMessageContaining("is no socket");
        assertThat(socket()).hasContent("precious");
    }

    @Test
    void aDirectoryThatIsMissingIsAnError() {
        Path missing = directory.resolve("missing/csi.sock");
        try (CsiServer server = new CsiServer(new EndpointAddress.Unix(missing), List.of(), log())) {
            assertThatThrownBy(server::start).isInstanceOf(IOException.class);
            assertThat(server.isListening()).isFalse();
        }
    }

    @Test
    void aSocketThatSomebodyRemovedComesBack() throws Exception {
        Path home = Files.createDirectory(directory.resolve("home"));
        Path away = directory.resolve("away");
        Path socket = home.resolve("csi.sock");
        try (CsiServer server = new CsiServer(
                new EndpointAddress.Unix(socket), List.of(new IdentityService("3.0.0", () -> true)), log())) {
            server.start();
            // With its directory, so that it cannot come back before anybody looks.
            Files.move(home, away);
            assertThat(server.isListening()).isFalse();
            Files.delete(away.resolve("csi.sock"));
            Files.move(away, home);
            await(server::isListening);
            assertThat(answers(socket)).isTrue();
        }
    }

    @Test
    void aSuccessorsSocketIsLeftToIt() throws Exception {
        CsiServer first = start();
        try (CsiServer second = start()) {
            first.close();
            assertThat(second.isListening()).isTrue();
            assertThat(answers(socket())).isTrue();
        }
    }

    @Test
    void aMessageOfMoreThanTwoMebibytesIsRefused() throws IOException {
        try (CsiServer server = start();
                Connection connection = Connection.to(socket())) {
            assertThat(server.isListening()).isTrue();
            DeleteVolumeRequest huge = DeleteVolumeRequest.newBuilder()
                    .setVolumeId("x".repeat(3 << 20))
                    .build();
            assertThatThrownBy(() -> ClientCalls.blockingUnaryCall(
                            connection.channel(),
                            IdentityGrpc.getGetPluginInfoMethod().toBuilder(
                                            ProtoUtils.marshaller(DeleteVolumeRequest.getDefaultInstance()),
                                            ProtoUtils.marshaller(GetPluginInfoResponse.getDefaultInstance()))
                                    .build(),
                            CallOptions.DEFAULT,
                            huge))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED));
        }
    }

    /** Whoever opens connections and says nothing must not keep others out, take the driver's memory, or break calls off. */
    @Test
    @Timeout(60)
    void ofTooManyConnectionsThoseGiveWayThatHaveNoCall() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        var slow = new IdentityGrpc.IdentityImplBase() {
            @Override
            public void probe(ProbeRequest request, StreamObserver<ProbeResponse> observer) {
                arrived.countDown();
                try {
                    go.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                observer.onNext(ProbeResponse.getDefaultInstance());
                observer.onCompleted();
            }

            @Override
            public void getPluginInfo(GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> observer) {
                observer.onNext(GetPluginInfoResponse.newBuilder()
                        .setName("s3.csi.scality.com")
                        .build());
                observer.onCompleted();
            }
        };
        List<SocketChannel> silent = new ArrayList<>();
        try (CsiServer server = new CsiServer(new EndpointAddress.Unix(socket()), List.of(slow), log());
                Connection calling = Connection.to(socket())) {
            server.start();
            var answer = IdentityGrpc.newFutureStub(calling.channel()).probe(ProbeRequest.getDefaultInstance());
            arrived.await();
            SocketChannel oldest = connected(silent);
            for (int i = 0; i < 2 * OpenConnections.MOST; i++) {
                connected(silent);
            }
            readToEnd(oldest);
            assertThat(answers(socket())).isTrue();
            go.countDown();
            assertThat(answer.get()).isNotNull();
        } finally {
            go.countDown();
            for (SocketChannel client : silent) {
                client.close();
            }
        }
    }

    /** The server's own greeting comes first. */
    private static void readToEnd(SocketChannel client) throws IOException {
        ByteBuffer greeting = ByteBuffer.allocate(1024);
        while (client.read(greeting) >= 0) {
            assertThat(greeting.hasRemaining()).isTrue();
        }
    }

    private SocketChannel connected(List<SocketChannel> all) throws IOException {
        SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket()));
        all.add(client);
        return client;
    }

    @Test
    void stoppingWaitsForARunningCallButNotForEver() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        var stuck = new IdentityGrpc.IdentityImplBase() {
            @Override
            public void probe(ProbeRequest request, StreamObserver<ProbeResponse> observer) {
                arrived.countDown();
                try {
                    never.await();
                } catch (InterruptedException e) {
                    observer.onError(Status.UNAVAILABLE.asException());
                }
            }
        };
        CsiServer server = new CsiServer(new EndpointAddress.Unix(socket()), List.of(stuck), log());
        server.start();
        try (Connection connection = Connection.to(socket())) {
            var answer = IdentityGrpc.newFutureStub(connection.channel()).probe(ProbeRequest.getDefaultInstance());
            arrived.await();
            server.stop(Duration.ofMillis(50));
            assertThatThrownBy(() -> answer.get(30, TimeUnit.SECONDS))
                    .satisfies(
                            e -> assertThat(Status.fromThrowable(e).getCode()).isEqualTo(Status.Code.UNAVAILABLE));
        }
        assertThat(server.isListening()).isFalse();
    }
}
