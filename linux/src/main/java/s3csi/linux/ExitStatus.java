package s3csi.linux;

/** How a child process ended. */
public sealed interface ExitStatus {
    record Exited(int code) implements ExitStatus {}

    record Signalled(int signal) implements ExitStatus {}

    /** Reads what waitpid(2) fills in. */
    static ExitStatus ofWaitStatus(int status) {
        int signal = status & 0x7f;
        return signal == 0 ? new Exited(status >> 8 & 0xff) : new Signalled(signal);
    }
}
