package s3csi.fuse;

/** What the file system says about an opened file or directory; bits for {@link OpenReply#opened}. */
public final class OpenFlags {
    /** Reads and writes go around the page cache. */
    public static final int DIRECT_IO = 1;
    /** Pages cached by earlier opens stay valid. */
    public static final int KEEP_CACHE = 1 << 1;
    /** The file cannot seek. */
    public static final int NONSEEKABLE = 1 << 2;
    /** The listing of this directory may be cached. */
    public static final int CACHE_DIR = 1 << 3;
    /** The file has no position at all. */
    public static final int STREAM = 1 << 4;
    /** No FLUSH at close (kernel 5.16; older ones ignore it and send the FLUSH). */
    public static final int NOFLUSH = 1 << 5;
    /** Direct writes of one inode may run in parallel. */
    public static final int PARALLEL_DIRECT_WRITES = 1 << 6;

    private OpenFlags() {}
}
