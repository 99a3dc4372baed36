package s3csi.fuse.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.linux.Errno;
import s3csi.linux.LinuxException;

class DeviceNotificationsTest {
    private final FakeDevice device = new FakeDevice();
    private final DeviceNotifications notifications =
            new DeviceNotifications(new Connection(device, new RecordedEvents()));

    /** It has forgotten the name, or the mount is gone: either way nothing is left to be told. */
    @ParameterizedTest
    @ValueSource(ints = {Errno.ENOENT, Errno.ENODEV, Errno.ENOTCONN, Errno.ECONNABORTED})
    void whatTheKernelDoesNotKnowNeedsNoNotice(int errno) throws Exception {
        device.refuseAnswer(errno);
        assertThat(notifications.invalidateEntry(1, "name")).isFalse();
        device.refuseAnswer(errno);
        assertThat(notifications.invalidateInode(7, 0, 0)).isFalse();
        assertThat(notifications.expireEntry(1, "name")).isTrue();
    }

    @Test
    void anyOtherRefusalIsAnError() {
        device.refuseAnswer(Errno.EINVAL);
        assertThatThrownBy(() -> notifications.deleteEntry(1, 7, "name")).isInstanceOf(LinuxException.class);
    }
}
