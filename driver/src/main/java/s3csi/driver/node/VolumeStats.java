package s3csi.driver.node;

import java.nio.file.Path;
import java.time.Duration;
import s3csi.csi.v1.NodeGetVolumeStatsResponse;
import s3csi.csi.v1.VolumeCondition;
import s3csi.csi.v1.VolumeUsage;
import s3csi.driver.node.kernel.MountCalls;
import s3csi.driver.node.kernel.Pulse;
import s3csi.linux.FileSystemStatus;
import s3csi.linux.MountEntry;
import s3csi.volume.NodeCause;
import s3csi.volume.VolumeFailure;

/** How full a volume is, as its file system says, and whether it works at all. */
public final class VolumeStats {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final MountCalls mounts;

    public VolumeStats(MountCalls mounts) {
        this.mounts = mounts;
    }

    public NodeGetVolumeStatsResponse of(Path target) {
        MountEntry entry = mounts.topAt(target)
                .filter(MountCalls::isOurs)
                .orElseThrow(() -> new VolumeFailure(new NodeCause.NotMounted(target.toString())));
        return switch (mounts.pulse(target, entry.device(), PATIENCE)) {
            case Pulse.Alive alive -> usage(alive.status());
            case Pulse.Dead dead -> abnormal("the engine of this volume is gone: " + dead.problem());
            case Pulse.Silent _ ->
                abnormal("the engine of this volume did not answer within " + PATIENCE.toSeconds() + " s");
        };
    }

    private static NodeGetVolumeStatsResponse usage(FileSystemStatus status) {
        long block = status.blockSize();
        return NodeGetVolumeStatsResponse.newBuilder()
                .addUsage(VolumeUsage.newBuilder()
                        .setUnit(VolumeUsage.Unit.BYTES)
                        .setTotal(bytes(status.blocks(), block))
                        .setUsed(bytes(status.blocks() - status.freeBlocks(), block))
                        .setAvailable(bytes(status.availableBlocks(), block)))
                .addUsage(VolumeUsage.newBuilder()
                        .setUnit(VolumeUsage.Unit.INODES)
                        .setTotal(status.files())
                        .setUsed(status.files() - status.freeFiles())
                        .setAvailable(status.freeFiles()))
                .setVolumeCondition(condition(false, "the volume is served"))
                .build();
    }

    /** A bucket without a size may claim more blocks than fit a number of bytes. */
    private static long bytes(long blocks, long blockSize) {
        long high = Math.multiplyHigh(blocks, blockSize);
        return high == 0 && blocks * blockSize >= 0 ? blocks * blockSize : Long.MAX_VALUE;
    }

    private static NodeGetVolumeStatsResponse abnormal(String message) {
        return NodeGetVolumeStatsResponse.newBuilder()
                .setVolumeCondition(condition(true, message))
                .build();
    }

    private static VolumeCondition condition(boolean abnormal, String message) {
        return VolumeCondition.newBuilder()
                .setAbnormal(abnormal)
                .setMessage(message)
                .build();
    }
}
