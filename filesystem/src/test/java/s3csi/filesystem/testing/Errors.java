package s3csi.filesystem.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import s3csi.linux.Errno;

/** Asserts about error numbers. */
public final class Errors {
    private Errors() {}

    public static void assertErrno(int errno, ThrowingCallable call) {
        ErrnoException thrown = catchThrowableOfType(ErrnoException.class, call);
        assertThat(thrown).as("expected " + Errno.name(errno)).isNotNull();
        assertThat(Errno.name(thrown.errno())).isEqualTo(Errno.name(errno));
    }
}
