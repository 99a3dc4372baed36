package s3csi.fuse;

/** The answer to a request for a name. */
public interface EntryReply extends Reply {
    /** The name is there. Adds one to the lookup count of its node. */
    void entry(Entry entry);

    /** The name is not there, and the kernel need not ask again for that long. With 0 the same as ENOENT. */
    void absent(long validNanos);

    @Override
    EntryReply later();
}
