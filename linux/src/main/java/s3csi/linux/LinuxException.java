package s3csi.linux;

import java.io.IOException;

/** A system call that failed: which one, on what, and with which error number. */
public final class LinuxException extends IOException {
    private final int errno;
    private final String call;

    public LinuxException(String call, String subject, int errno) {
        super(call + (subject.isEmpty() ? "" : " " + subject) + ": " + Errno.name(errno) + " (" + Errno.meaning(errno)
                + ")");
        this.errno = errno;
        this.call = call;
    }

    /** The positive error number. */
    public int errno() {
        return errno;
    }

    /** The name of the system call, like {@code mount}. */
    public String call() {
        return call;
    }
}
