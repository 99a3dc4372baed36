package s3csi.fuse;

/** The answer to READDIR: names, as many as fit. */
public interface DirectoryReply extends Reply {
    /**
     * Adds a name and says whether there was room; if not, nothing was added and it is time to {@link #send}.
     *
     * @param nextOffset where the listing goes on after this name; the kernel gives it back as the offset. Not 0, which is the begin
     * @param mode the file type bits
     */
    boolean add(String name, long inode, int mode, long nextOffset);

    /** Sends what was added; nothing added means end of directory. False if nobody waited for it any more. */
    boolean send();

    @Override
    DirectoryReply later();
}
