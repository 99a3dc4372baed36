package s3csi.fuse;

/** The answer to OPEN and OPENDIR. */
public interface OpenReply extends Reply {
    /** The handle comes back with every request on the open file; flags of {@link OpenFlags}. */
    void opened(long handle, int openFlags);

    @Override
    OpenReply later();
}
