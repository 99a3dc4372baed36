package s3csi.filesystem.testing;

import s3csi.linux.Errno;

/** What a program sees of a request that was refused. */
public final class ErrnoException extends RuntimeException {
    private final int errno;

    public ErrnoException(int errno) {
        super(Errno.name(errno));
        this.errno = errno;
    }

    public int errno() {
        return errno;
    }
}
