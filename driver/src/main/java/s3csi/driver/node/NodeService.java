package s3csi.driver.node;

import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.csi.v1.NodeGetCapabilitiesRequest;
import s3csi.csi.v1.NodeGetCapabilitiesResponse;
import s3csi.csi.v1.NodeGetInfoRequest;
import s3csi.csi.v1.NodeGetInfoResponse;
import s3csi.csi.v1.NodeGetVolumeStatsRequest;
import s3csi.csi.v1.NodeGetVolumeStatsResponse;
import s3csi.csi.v1.NodeGrpc.NodeImplBase;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.csi.v1.NodePublishVolumeResponse;
import s3csi.csi.v1.NodeServiceCapability;
import s3csi.csi.v1.NodeServiceCapability.RPC;
import s3csi.csi.v1.NodeUnpublishVolumeRequest;
import s3csi.csi.v1.NodeUnpublishVolumeResponse;
import s3csi.driver.grpc.Answers;
import s3csi.driver.grpc.InFlight;
import s3csi.linux.MountEntry;
import s3csi.volume.NodeCause;
import s3csi.volume.VolumeFailure;
import s3csi.volume.VolumeId;
import s3csi.volume.mount.TargetPath;

/** The CSI Node service: volumes at the targets of workloads. */
public final class NodeService extends NodeImplBase {
    private static final Logger LOG = LoggerFactory.getLogger(NodeService.class);

    /** With what has to be taken back after it, a call stays below 90 s, and so below kubelet's own patience of two minutes. */
    private static final Duration CALL_LIMIT = Duration.ofSeconds(60);

    private static final List<RPC.Type> CAPABILITIES =
            List.of(RPC.Type.VOLUME_MOUNT_GROUP, RPC.Type.GET_VOLUME_STATS, RPC.Type.VOLUME_CONDITION);

    private final String nodeId;
    private final PublishReader reader;
    private final BindMounts targets;
    private final Mounter mounter;
    private final VolumeStats stats;
    private final InFlight inFlight = new InFlight();

    NodeService(String nodeId, PublishReader reader, BindMounts targets, Mounter mounter, VolumeStats stats) {
        this.nodeId = nodeId;
        this.reader = reader;
        this.targets = targets;
        this.mounter = mounter;
        this.stats = stats;
    }

    @Override
    public void nodePublishVolume(
            NodePublishVolumeRequest request, StreamObserver<NodePublishVolumeResponse> observer) {
        Answers.give(observer, () -> publish(request));
    }

    @Override
    public void nodeUnpublishVolume(
            NodeUnpublishVolumeRequest request, StreamObserver<NodeUnpublishVolumeResponse> observer) {
        Answers.give(observer, () -> unpublish(request));
    }

    @Override
    public void nodeGetVolumeStats(
            NodeGetVolumeStatsRequest request, StreamObserver<NodeGetVolumeStatsResponse> observer) {
        Answers.give(observer, () -> {
            new VolumeId(request.getVolumeId());
            return stats.of(pathOf(request));
        });
    }

    /** Any path may be asked for; where no target can be, nothing is mounted. */
    private Path pathOf(NodeGetVolumeStatsRequest request) {
        if (request.getVolumePath().isEmpty()) {
            throw VolumeFailure.invalid("volume_path", "volume path is required", "Say where the volume is");
        }
        try {
            return targets.resolve(TargetPath.parse(request.getVolumePath()));
        } catch (VolumeFailure e) {
            throw new VolumeFailure(new NodeCause.NotMounted(request.getVolumePath()), e);
        }
    }

    @Override
    public void nodeGetCapabilities(
            NodeGetCapabilitiesRequest request, StreamObserver<NodeGetCapabilitiesResponse> observer) {
        Answers.give(observer, () -> {
            NodeGetCapabilitiesResponse.Builder answer = NodeGetCapabilitiesResponse.newBuilder();
            CAPABILITIES.forEach(type -> answer.addCapabilities(
                    NodeServiceCapability.newBuilder().setRpc(RPC.newBuilder().setType(type))));
            return answer.build();
        });
    }

    @Override
    public void nodeGetInfo(NodeGetInfoRequest request, StreamObserver<NodeGetInfoResponse> observer) {
        Answers.give(
                observer,
                () -> NodeGetInfoResponse.newBuilder().setNodeId(nodeId).build());
    }

    private NodePublishVolumeResponse publish(NodePublishVolumeRequest request) {
        new VolumeId(request.getVolumeId());
        Path target = targets.resolve(TargetPath.parse(request.getTargetPath()));
        VolumeMount mount = reader.read(request);
        return inFlight.only(target.toString(), () -> {
            publish(mount, target);
            return NodePublishVolumeResponse.getDefaultInstance();
        });
    }

    private void publish(VolumeMount mount, Path target) {
        Deadline deadline = Deadline.after(CALL_LIMIT);
        Optional<MountEntry> mounted = targets.servedAt(target);
        if (mounted.isPresent()) {
            publishAgain(mount, target, mounted.get(), deadline);
        } else {
            mounter.withSource(mount, deadline, source -> targets.bind(source, target, mount.readOnly()));
        }
    }

    /** Kubelet repeats every publish about once a minute: keys are brought up to date, and nothing is mounted. */
    private void publishAgain(VolumeMount mount, Path target, MountEntry mounted, Deadline deadline) {
        if (mounted.isReadOnly() != mount.readOnly()) {
            throw new VolumeFailure(new NodeCause.TargetTaken(
                    target.toString(),
                    "the volume is there already, but " + (mounted.isReadOnly() ? "read-only" : "writable")));
        }
        if (!mounter.refresh(target, mounted.device(), mount, deadline)) {
            LOG.warn("the mount at {} works but has no source of this driver; its keys stay as they are", target);
        }
    }

    private NodeUnpublishVolumeResponse unpublish(NodeUnpublishVolumeRequest request) {
        new VolumeId(request.getVolumeId());
        Path target = targets.resolve(TargetPath.parse(request.getTargetPath()));
        return inFlight.only(target.toString(), () -> {
            Optional<MountEntry> gone = targets.unbind(target);
            gone.ifPresent(this::release);
            return NodeUnpublishVolumeResponse.getDefaultInstance();
        });
    }

    /** The workload has let go; that a source cannot end yet is not its problem. */
    private void release(MountEntry gone) {
        try {
            mounter.release(gone.device(), Deadline.after(CALL_LIMIT));
        } catch (VolumeFailure e) {
            LOG.warn("a source stays for now: {}", e.getMessage());
        }
    }
}
