package s3csi.testbed.cluster;

import com.google.protobuf.BoolValue;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import s3csi.csi.v1.ControllerGrpc.ControllerImplBase;
import s3csi.csi.v1.CreateVolumeRequest;
import s3csi.csi.v1.CreateVolumeResponse;
import s3csi.csi.v1.DeleteVolumeRequest;
import s3csi.csi.v1.DeleteVolumeResponse;
import s3csi.csi.v1.GetPluginInfoRequest;
import s3csi.csi.v1.GetPluginInfoResponse;
import s3csi.csi.v1.IdentityGrpc.IdentityImplBase;
import s3csi.csi.v1.ProbeRequest;
import s3csi.csi.v1.ProbeResponse;
import s3csi.csi.v1.Volume;

/** A driver behind a real socket, whose volumes are names in memory, and whose calls go wrong as a plan says. */
final class StandInDriver implements AutoCloseable {
    /** What becomes of a call. */
    sealed interface Fate {
        record Done() implements Fate {}

        /** It is done, and the answer does not arrive. */
        record AnswerLost() implements Fate {}

        record Refused(Status status) implements Fate {}
    }

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Server server;
    private final Map<String, CreateVolumeRequest> volumes = new ConcurrentHashMap<>();
    private final List<CreateVolumeRequest> asked = new CopyOnWriteArrayList<>();
    private final List<DeleteVolumeRequest> deleted = new CopyOnWriteArrayList<>();
    volatile Function<CreateVolumeRequest, Fate> creating = _ -> new Fate.Done();
    volatile Function<DeleteVolumeRequest, Fate> deleting = _ -> new Fate.Done();

    StandInDriver(Path socket) {
        this(socket, "s3.csi.scality.com");
    }

    StandInDriver(Path socket, String name) {
        try {
            server = NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                    .channelFactory(NioServerDomainSocketChannel::new)
                    .bossEventLoopGroup(loop)
                    .workerEventLoopGroup(loop)
                    .executor(Executors.newVirtualThreadPerTaskExecutor())
                    .addService(new Identity(name))
                    .addService(new Controller())
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen as a driver", e);
        }
    }

    static String idOf(String volume) {
        return "bucket-of-" + volume;
    }

    /** The names of all that there is. */
    List<String> volumes() {
        return volumes.keySet().stream().sorted().toList();
    }

    List<CreateVolumeRequest> asked(String volume) {
        return asked.stream()
                .filter(request -> request.getName().equals(volume))
                .toList();
    }

    List<DeleteVolumeRequest> deleted(String id) {
        return deleted.stream()
                .filter(request -> request.getVolumeId().equals(id))
                .toList();
    }

    /** As one that was there before. */
    void has(String volume) {
        volumes.put(volume, CreateVolumeRequest.getDefaultInstance());
    }

    private static <T> void answer(StreamObserver<T> observer, Fate fate, Runnable work, T answer) {
        switch (fate) {
            case Fate.Done() -> {
                work.run();
                observer.onNext(answer);
                observer.onCompleted();
            }
            case Fate.AnswerLost() -> {
                work.run();
                observer.onError(Status.UNAVAILABLE
                        .withDescription("the answer was lost")
                        .asException());
            }
            case Fate.Refused(Status status) -> observer.onError(status.asException());
        }
    }

    private static final class Identity extends IdentityImplBase {
        private final String name;

        Identity(String name) {
            this.name = name;
        }

        @Override
        public void getPluginInfo(GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> observer) {
            answer(
                    observer,
                    new Fate.Done(),
                    () -> {},
                    GetPluginInfoResponse.newBuilder().setName(name).build());
        }

        @Override
        public void probe(ProbeRequest request, StreamObserver<ProbeResponse> observer) {
            answer(
                    observer,
                    new Fate.Done(),
                    () -> {},
                    ProbeResponse.newBuilder().setReady(BoolValue.of(true)).build());
        }
    }

    private final class Controller extends ControllerImplBase {
        @Override
        public void createVolume(CreateVolumeRequest request, StreamObserver<CreateVolumeResponse> observer) {
            asked.add(request);
            answer(
                    observer,
                    creating.apply(request),
                    () -> volumes.put(request.getName(), request),
                    CreateVolumeResponse.newBuilder()
                            .setVolume(Volume.newBuilder()
                                    .setVolumeId(idOf(request.getName()))
                                    .putVolumeContext("bucketName", idOf(request.getName())))
                            .build());
        }

        @Override
        public void deleteVolume(DeleteVolumeRequest request, StreamObserver<DeleteVolumeResponse> observer) {
            deleted.add(request);
            answer(
                    observer,
                    deleting.apply(request),
                    () -> volumes.keySet().removeIf(volume -> idOf(volume).equals(request.getVolumeId())),
                    DeleteVolumeResponse.getDefaultInstance());
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
        loop.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS).awaitUninterruptibly(1000);
    }
}
