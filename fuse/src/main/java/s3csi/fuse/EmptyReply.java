package s3csi.fuse;

/** The answer to a request that either works or does not. */
public interface EmptyReply extends Reply {
    void done();

    @Override
    EmptyReply later();
}
