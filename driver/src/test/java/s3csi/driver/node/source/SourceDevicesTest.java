package s3csi.driver.node.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import s3csi.driver.node.kernel.FakeMounts;
import s3csi.linux.FuseMountOptions;

class SourceDevicesTest {
    private final FakeMounts mounts = new FakeMounts();
    private final SourceDevices devices = new SourceDevices(mounts);

    private void mount(String source) {
        devices.mount(source, Path.of("/mnt", source), FuseMountOptions.ownedBy(0, 0));
    }

    @Test
    void aDeviceIsHeldUntilItIsLetGo() {
        mount("a");
        mount("b");
        assertThat(mounts.openDescriptors()).isEqualTo(2);
        devices.letGo("a");
        assertThat(mounts.openDescriptors()).isEqualTo(1);
        devices.letGo("a");
        devices.letGo("b");
        assertThat(mounts.openDescriptors()).isZero();
    }

    @Test
    void aSourceThatIsMountedAnewHasOneDevice() {
        mount("a");
        mount("a");
        assertThat(mounts.openDescriptors()).isEqualTo(1);
        devices.letGo("a");
        assertThat(mounts.openDescriptors()).isZero();
    }
}
