package s3csi.driver.node.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.linux.Errno;
import s3csi.linux.LinuxException;
import s3csi.volume.Cause;
import s3csi.volume.NodeCause;

class NodeFailuresTest {
    private static LinuxException errno(int errno) {
        return new LinuxException("open", "/dev/fuse", errno);
    }

    private static Cause cause(IOException failure) {
        return NodeFailures.of("mount", failure).reason();
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EMFILE, Errno.ENFILE, Errno.ENOMEM, Errno.ENOSPC, Errno.EDQUOT, Errno.EUSERS})
    void whatIsUsedUpIsNamed(int errno) {
        assertThat(cause(errno(errno))).isInstanceOf(NodeCause.NodeExhausted.class);
        assertThat(cause(errno(errno)).message()).contains(Errno.name(errno));
        assertThat(NodeFailures.ofDevice(errno(errno)).reason()).isInstanceOf(NodeCause.NodeExhausted.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.ENOENT, Errno.ENODEV, Errno.ENXIO, Errno.EPERM, Errno.EACCES})
    void aMissingDeviceIsNamed(int errno) {
        assertThat(NodeFailures.ofDevice(errno(errno)).reason())
                .isInstanceOf(NodeCause.FuseMissing.class)
                .extracting(Cause::message)
                .asString()
                .contains("/dev/fuse");
    }

    @Test
    void whatJavaSaysAboutFilesIsCompleted() {
        assertThat(cause(new AccessDeniedException("/a")).message()).contains("AccessDeniedException /a");
        assertThat(cause(new FileSystemException("/a", null, "No space left on device")))
                .isInstanceOf(NodeCause.NodeExhausted.class);
        assertThat(cause(new IOException("odd"))).isInstanceOf(NodeCause.MountRefused.class);
    }
}
