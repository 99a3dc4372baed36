package s3csi.driver.node;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import s3csi.driver.node.kernel.Deadline;
import s3csi.driver.node.kernel.FakeMounts;
import s3csi.driver.node.kernel.MountCalls;
import s3csi.driver.node.source.SourceIdentity;
import s3csi.driver.node.target.BindMounts;
import s3csi.driver.node.target.Target;
import s3csi.linux.DeviceNumber;
import s3csi.volume.VolumeFailure;
import s3csi.volume.VolumeId;
import s3csi.volume.mount.Workload;

/** A mounter whose one source is in a mount table in memory. */
final class FakeMounter implements Mounter {
    private final BindMounts targets;
    private final Path source;
    private final DeviceNumber device;

    final List<VolumeMount> provided = new ArrayList<>();
    final List<Optional<Workload>> workloads = new ArrayList<>();
    final List<VolumeMount> refreshed = new ArrayList<>();
    final List<DeviceNumber> released = new ArrayList<>();
    boolean isSource = true;
    Optional<Boolean> noted = Optional.empty();
    Runnable before = () -> {};

    @Nullable
    VolumeFailure failure;

    FakeMounter(FakeMounts mounts, BindMounts targets, Path path) {
        this.targets = targets;
        source = path;
        device = mounts.add(path, MountCalls.SOURCE_NAME, "fuse", false);
    }

    DeviceNumber device() {
        return device;
    }

    @Override
    public void mount(VolumeMount mount, Target target, Deadline deadline) {
        before.run();
        fail();
        provided.add(mount);
        workloads.add(target.workload());
        noted = Optional.of(mount.readOnly());
        targets.bind(source, target.path(), mount.readOnly());
    }

    @Override
    public Optional<Published> published(Target target, DeviceNumber device) {
        return isSource && !provided.isEmpty()
                ? Optional.of(SourceIdentity.of(provided.getLast()).published(noted))
                : Optional.empty();
    }

    @Override
    public void refresh(Target target, DeviceNumber device, VolumeMount mount, Deadline deadline) {
        fail();
        refreshed.add(mount);
    }

    @Override
    public void release(Target target, VolumeId volume, DeviceNumber device, Deadline deadline) {
        released.add(device);
        fail();
    }

    @Override
    public void sweep() {}

    private void fail() {
        if (failure != null) {
            throw failure;
        }
    }
}
