package s3csi.fuse;

/** The answer to READLINK. */
public interface LinkTargetReply extends Reply {
    void target(String path);

    @Override
    LinkTargetReply later();
}
