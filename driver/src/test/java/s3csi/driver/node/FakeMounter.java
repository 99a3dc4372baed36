package s3csi.driver.node;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import s3csi.linux.DeviceNumber;
import s3csi.volume.VolumeFailure;

/** A mounter whose one source is in a mount table in memory. */
final class FakeMounter implements Mounter {
    private final MountedSource source;

    final List<VolumeMount> provided = new ArrayList<>();
    final List<VolumeMount> refreshed = new ArrayList<>();
    final List<DeviceNumber> released = new ArrayList<>();
    boolean isSource = true;
    Runnable before = () -> {};

    @Nullable
    VolumeFailure failure;

    FakeMounter(FakeMounts mounts, Path path) {
        source = new MountedSource("mp-1", path, mounts.add(path, MountCalls.SOURCE_NAME, "fuse", false));
    }

    DeviceNumber device() {
        return source.device();
    }

    @Override
    public void withSource(VolumeMount mount, Deadline deadline, Consumer<MountedSource> use) {
        before.run();
        fail();
        provided.add(mount);
        use.accept(source);
    }

    @Override
    public boolean refresh(Path target, DeviceNumber device, VolumeMount mount, Deadline deadline) {
        fail();
        refreshed.add(mount);
        return isSource;
    }

    @Override
    public void release(DeviceNumber device, Deadline deadline) {
        released.add(device);
        fail();
    }

    private void fail() {
        if (failure != null) {
            throw failure;
        }
    }
}
