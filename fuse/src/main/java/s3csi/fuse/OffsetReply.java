package s3csi.fuse;

/** The answer to LSEEK. */
public interface OffsetReply extends Reply {
    void offset(long offset);

    @Override
    OffsetReply later();
}
