package s3csi.fuse.session;

/** Why a session ended. */
public sealed interface SessionEnd {
    /** The mount is gone. */
    record Unmounted() implements SessionEnd {}

    /** The connection was aborted by the administrator or by force; told apart only with ABORT_ERROR negotiated. */
    record Aborted() implements SessionEnd {}

    /** {@link FuseSession#stop} was called; the mount lives on if another process has the descriptor. */
    record Stopped() implements SessionEnd {}

    /** The kernel and this session cannot work together, or the device failed in a way that should not happen. */
    record Failed(String reason) implements SessionEnd {}
}
