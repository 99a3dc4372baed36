package s3csi.fuse;

/** The answer to READDIRPLUS: names with what a lookup would say, as many as fit. */
public interface DirectoryPlusReply extends Reply {
    /**
     * Adds a name and says whether there was room; if not, nothing was added and it is time to {@link #send}.
     *
     * <p>Adds one to the lookup count of the node unless the name is {@code .} or {@code ..}; the count holds once
     * {@link #send} was called.
     */
    boolean add(String name, Entry entry, long nextOffset);

    /** Adds a name without lookup: the kernel asks for it when it needs it. */
    boolean addName(String name, long inode, int mode, long nextOffset);

    /**
     * Sends what was added; nothing added means end of directory. False if the request was gone, so that no lookup was
     * counted.
     */
    boolean send();

    @Override
    DirectoryPlusReply later();
}
