package s3csi.fuse;

/** The answer to WRITE and COPY_FILE_RANGE. */
public interface WriteReply extends Reply {
    void written(long bytes);

    @Override
    WriteReply later();
}
