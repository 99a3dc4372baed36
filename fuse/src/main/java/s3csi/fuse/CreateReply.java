package s3csi.fuse;

/** The answer to CREATE and TMPFILE: the new file, opened. */
public interface CreateReply extends Reply {
    /** Adds one to the lookup count of the node. */
    void created(Entry entry, long handle, int openFlags);

    @Override
    CreateReply later();
}
