package s3csi.provisioner.csi;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import s3csi.csi.v1.CapacityRange;
import s3csi.csi.v1.ControllerGrpc;
import s3csi.csi.v1.ControllerGrpc.ControllerBlockingStub;
import s3csi.csi.v1.CreateVolumeRequest;
import s3csi.csi.v1.DeleteVolumeRequest;
import s3csi.csi.v1.GetPluginInfoRequest;
import s3csi.csi.v1.IdentityGrpc;
import s3csi.csi.v1.IdentityGrpc.IdentityBlockingStub;
import s3csi.csi.v1.ProbeRequest;
import s3csi.csi.v1.Volume;
import s3csi.csi.v1.VolumeCapability;
import s3csi.provisioner.model.AccessMode;
import s3csi.provisioner.model.MadeVolume;
import s3csi.provisioner.model.VolumePlan;
import s3csi.volume.Driver;
import s3csi.volume.Printable;

/** The driver in its role as controller. Every call may be repeated: the same name means the same volume. */
public final class CsiController implements AutoCloseable {
    /** The driver answers within 90 s at worst, and then only if its store is silent. */
    private static final Duration CALL = Duration.ofSeconds(90);

    private static final Duration QUESTION = Duration.ofSeconds(10);
    private static final int LOOP_END_MILLIS = 500;

    private final CsiAddress address;
    private final EventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("csi-client", true), NioIoHandler.newFactory());
    private final ManagedChannel channel;

    /** Connects when it is first used, and again whenever need be. */
    public CsiController(CsiAddress address) {
        this.address = address;
        channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(address.socket()))
                .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
                .eventLoopGroup(loop)
                .overrideAuthority("localhost")
                .usePlaintext()
                .build();
    }

    /** Why volumes cannot be had from whoever listens there; empty if they can. */
    public Optional<String> fault() {
        try {
            String name = ask(() -> identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance()))
                    .getName();
            if (!name.equals(Driver.NAME)) {
                return Optional.of("at " + address + " is the driver " + Printable.quoted(name) + ", and not "
                        + Driver.NAME + ". Correct --csi-address");
            }
            var answer = ask(() -> identity().probe(ProbeRequest.getDefaultInstance()));
            return answer.hasReady() && !answer.getReady().getValue()
                    ? Optional.of("the driver at " + address + " is not ready yet")
                    : Optional.empty();
        } catch (DriverRefusal e) {
            return Optional.ofNullable(e.getMessage());
        }
    }

    /**
     * Has a volume made, or finds the one that was.
     *
     * @param secrets kept nowhere
     * @throws DriverRefusal if there is none, or nobody knows
     */
    public MadeVolume create(VolumePlan plan, Map<String, String> secrets) {
        CreateVolumeRequest.Builder request = CreateVolumeRequest.newBuilder()
                .setName(plan.name())
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(plan.requiredBytes()))
                .putAllParameters(plan.parameters())
                .putAllSecrets(secrets);
        plan.modes().forEach(mode -> request.addVolumeCapabilities(capability(plan, mode)));
        Volume volume = ask(() -> controller().createVolume(request.build())).getVolume();
        return new MadeVolume(
                volume.getVolumeId(), volume.getCapacityBytes(), Map.copyOf(volume.getVolumeContextMap()));
    }

    private static VolumeCapability capability(VolumePlan plan, AccessMode mode) {
        VolumeCapability.Builder capability = VolumeCapability.newBuilder()
                .setAccessMode(VolumeCapability.AccessMode.newBuilder()
                        .setMode(
                                switch (mode) {
                                    case SINGLE_NODE_WRITER -> VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER;
                                    case MULTI_NODE_READER_ONLY ->
                                        VolumeCapability.AccessMode.Mode.MULTI_NODE_READER_ONLY;
                                    case MULTI_NODE_MULTI_WRITER ->
                                        VolumeCapability.AccessMode.Mode.MULTI_NODE_MULTI_WRITER;
                                }));
        if (plan.isBlock()) {
            capability.setBlock(VolumeCapability.BlockVolume.getDefaultInstance());
        } else {
            capability.setMount(VolumeCapability.MountVolume.newBuilder()
                    .setFsType(plan.fileSystem())
                    .addAllMountFlags(plan.mountOptions()));
        }
        return capability.build();
    }

    /**
     * Has a volume deleted; one that is gone is no failure.
     *
     * @param secrets kept nowhere
     * @throws DriverRefusal if it is still there, or nobody knows
     */
    public void delete(String id, Map<String, String> secrets) {
        var _ = ask(() -> controller()
                .deleteVolume(DeleteVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .putAllSecrets(secrets)
                        .build()));
    }

    private ControllerBlockingStub controller() {
        return ControllerGrpc.newBlockingStub(channel).withDeadlineAfter(CALL.toSeconds(), TimeUnit.SECONDS);
    }

    private IdentityBlockingStub identity() {
        return IdentityGrpc.newBlockingStub(channel).withDeadlineAfter(QUESTION.toSeconds(), TimeUnit.SECONDS);
    }

    private <T> T ask(Supplier<T> call) {
        // A driver that was away is tried at once, not after the minutes that gRPC would wait by now.
        channel.resetConnectBackoff();
        try {
            return call.get();
        } catch (StatusRuntimeException e) {
            throw DriverRefusal.of(e.getStatus(), address.toString());
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
        loop.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS).awaitUninterruptibly(LOOP_END_MILLIS);
    }
}
