package s3csi.driver.node;

import io.grpc.stub.StreamObserver;
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
import s3csi.driver.node.kernel.Deadline;
import s3csi.driver.node.target.BindMounts;
import s3csi.driver.node.target.Target;
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

    public NodeService(String nodeId, PublishReader reader, BindMounts targets, Mounter mounter, VolumeStats stats) {
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
            VolumeId volume = new VolumeId(request.getVolumeId());
            Target target = targetOf(request);
            targets.topAt(target.path()).ifPresent(mounted -> requireVolume(volume, target, mounted));
            return stats.of(target.path());
        });
    }

    /** Any path may be asked for; where no target can be, nothing is mounted. */
    private Target targetOf(NodeGetVolumeStatsRequest request) {
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
        Target target = targets.resolve(TargetPath.parse(request.getTargetPath()));
        return inFlight.only(target.toString(), () -> {
            publish(reader.read(request, target), target);
            return NodePublishVolumeResponse.getDefaultInstance();
        });
    }

    private void publish(VolumeMount mount, Target target) {
        Deadline deadline = Deadline.after(CALL_LIMIT);
        Optional<MountEntry> mounted = targets.servedAt(target.path());
        if (mounted.isPresent()) {
            publishAgain(mount, target, mounted.get(), deadline);
        } else {
            mounter.mount(mount, target, deadline);
        }
    }

    /** Kubelet repeats every publish about once a minute: keys are brought up to date, and nothing is mounted. */
    private void publishAgain(VolumeMount mount, Target target, MountEntry mounted, Deadline deadline) {
        Optional<Published> published = mounter.published(target, mounted.device());
        published.flatMap(found -> found.differenceTo(mount)).ifPresent(difference -> {
            throw new VolumeFailure(new NodeCause.TargetTaken(target.toString(), difference));
        });
        // What a release before made has the rights that it was made with.
        published.ifPresent(found -> requireRights(mount, target, mounted, found));
        mounter.refresh(target, mounted.device(), mount, deadline);
    }

    /** A driver that was killed between two steps left a target writable that was to be read-only; what else differs is refused. */
    private void requireRights(VolumeMount mount, Target target, MountEntry mounted, Published published) {
        if (mounted.isReadOnly() == mount.readOnly()) {
            return;
        }
        boolean halfDone = mount.readOnly() && published.readOnly().orElse(true);
        if (!halfDone) {
            throw new VolumeFailure(new NodeCause.TargetTaken(
                    target.toString(),
                    "the volume is there already, but " + (mounted.isReadOnly() ? "read-only" : "writable")));
        }
        LOG.warn("{} was left writable by a driver that was killed; it is made read-only", target);
        targets.makeReadOnly(target.path());
    }

    private NodeUnpublishVolumeResponse unpublish(NodeUnpublishVolumeRequest request) {
        VolumeId volume = new VolumeId(request.getVolumeId());
        Target target = targets.resolve(TargetPath.parse(request.getTargetPath()));
        return inFlight.only(target.toString(), () -> {
            targets.topAt(target.path()).ifPresent(mounted -> requireVolume(volume, target, mounted));
            Optional<MountEntry> gone = targets.unbind(target.path());
            gone.ifPresent(mounted -> release(target, volume, mounted));
            return NodeUnpublishVolumeResponse.getDefaultInstance();
        });
    }

    private void requireVolume(VolumeId volume, Target target, MountEntry mounted) {
        mounter.published(target, mounted.device())
                .filter(found -> !found.volume().equals(volume.text()))
                .ifPresent(_ -> {
                    throw new VolumeFailure(new NodeCause.TargetOfAnother(target.toString(), volume.text()));
                });
    }

    /** The workload has let go; that a source cannot end yet is not its problem. */
    private void release(Target target, VolumeId volume, MountEntry gone) {
        try {
            mounter.release(target, volume, gone.device(), Deadline.after(CALL_LIMIT));
        } catch (VolumeFailure e) {
            LOG.warn("a source stays for now: {}", e.getMessage());
        }
    }
}
